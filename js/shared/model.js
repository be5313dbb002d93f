/** @import { Model } from "./port.js" */

/**
 * A widget's model without a notebook: what is sent goes to `sent`, and what is heard comes by `hear`.
 *
 * @param {Record<string, any>} traits
 * @param {(content: any) => void} sent
 * @returns {Model & {hear: (message: object) => void}}
 */
export function createModel(traits, sent) {
  /** @type {[string, (...given: any[]) => void][]} */
  const heard = [];
  /** @param {string} name @param {unknown} [given] */
  const tell = (name, given) => {
    for (const [each, callback] of heard) if (each === name) callback(given);
  };
  return {
    get: (name) => traits[name],
    set: (name, value) => {
      if (traits[name] === value) return;
      traits[name] = value;
      tell(`change:${name}`);
    },
    send: sent,
    on: (name, callback) => void heard.push([name, callback]),
    hear: (message) => tell("msg:custom", message),
  };
}
