/**
 * Remembers what somebody has chosen for this page, where the browser lets one; returns it.
 *
 * @param {string} key
 * @param {string} [value]
 */
export const kept = (key, value) => {
  try {
    if (value != null) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
