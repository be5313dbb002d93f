/**
 * Copies a text that stands in a field, and returns what to say of it. Without leave to write, it is selected at least.
 *
 * @param {string} text
 * @param {HTMLInputElement | HTMLTextAreaElement | null | undefined} field
 */
export async function copied(text, field) {
  field?.select();
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return "It is selected: press Ctrl+C.";
  }
}
