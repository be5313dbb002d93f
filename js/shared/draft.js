/**
 * What somebody has filled in and not sent, for when their page is loaded anew: one form of one moment, as long as its tab
 * is open and the browser lets one. Where no page says which moment it is, nothing is kept.
 */
const KEY = "combatkit-draft";

/**
 * Whose form it is, and which, with what its button says already.
 * @typedef {{name: string | null, action: string, given: Record<string, unknown>}} Of
 * @typedef {{of: Of, params: Record<string, unknown>, typed: Record<string, string[]>, note: string, wide: boolean}} Draft
 */

/** @returns {{at?: string, draft?: Draft, isBack?: boolean}} */
const read = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
};

/** @param {ReturnType<typeof read>} kept */
const write = (kept) => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The browser lets one keep nothing: what is filled in lasts as long as the page.
  }
};

/** Says which moment it is, and for whom, or nothing: what was filled in for another is forgotten. @param {string} at */
export const draftAt = (at) => {
  if (read().at !== at) write({ at });
};

/** Keeps what is filled in now; nothing, once it was sent or put away. @param {Draft} [draft] */
export const keepDraft = (draft) => {
  const { at } = read();
  if (at) write({ at, draft });
};

/** What was filled in before the page was loaded anew: the form that opens for it next takes it. */
export const bringDraft = () => {
  const { at, draft } = read();
  if (draft) write({ at, draft, isBack: true });
  return draft;
};

/** Takes, once, what is brought back for a form. @param {Of} of */
export const takeDraft = (of) => {
  const { at, draft, isBack } = read();
  if (!isBack || JSON.stringify(draft?.of) !== JSON.stringify(of)) return undefined;
  write({ at, draft });
  return draft;
};
