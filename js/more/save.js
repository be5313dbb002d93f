/** Files to keep: Python makes them, the browser puts them where its downloads go. */
import { element } from "../shared/element.js";

/** @import { Desk } from "../tracker/view.js" */

/** What can be saved: its name, and what it is. @type {[string, string, string][]} */
export const FILES = [
  ["page", "Save web page", "HTML"],
  ["log", "Save log", "Markdown"],
  ["roster", "Save roster", "CSV"],
  ["copy", "Save copy", "to load again"],
];

/**
 * Gets a file part by part, and gives it to the browser. Answers with the name of the file.
 *
 * @param {Desk["ask"]} ask
 * @param {string} what
 * @param {object} [whose] as whom it is seen
 * @returns {Promise<string>}
 */
export async function save(ask, what, whose) {
  const parts = [];
  let answer;
  do {
    answer = await ask({ kind: "download", what, part: parts.length, ...whose });
    parts.push(Uint8Array.from(atob(answer.data), (each) => each.charCodeAt(0)));
  } while (!answer.last);
  const link = element("a", { href: URL.createObjectURL(new Blob(parts, { type: answer.type })), download: answer.name });
  link.click();
  // The browser has taken it by the time its own tasks are done.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return answer.name;
}
