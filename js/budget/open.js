import { connect, follow, show } from "../shared/adapter.js";
import { watchRules } from "../shared/rules.js";
import { createBudget } from "./view.js";

/** @import { Model } from "../shared/port.js" */
/** @import { askIn, createForm, Wanted } from "../form/form.js" */
/** @import { createFinder } from "./find.js" */
/** @import { heedWrong } from "../shared/wrong.js" */

/**
 * @param {{form?: {askIn: typeof askIn, createForm: typeof createForm, createFinder: typeof createFinder}, heed?: typeof heedWrong}} brought the
 *   form by which an action asks what it still needs, what looks for an action, and what heeds a field filled in wrong; a page to look through has none
 */
export const open = ({ form, heed }) => ({
  /**
   * The widget this one stands in gives it the messages that came with its own, and may borrow the form by which an
   * action asks what it still needs, and the words behind rule marks.
   *
   * @param {{model: Model}} place
   */
  initialize({ model }) {
    const { take } = follow(model);
    const port = connect(model);
    /** @param {HTMLElement} el @param {Wanted} wanted */
    const ask = (el, wanted) => form?.askIn(el, port, wanted);
    /** @param {HTMLElement} root @param {(text: string) => void} say @param {AbortSignal} signal */
    const rules = (root, say, signal) => watchRules(root, port.ask, say, signal);
    return { take, ask, rules };
  },

  /** @param {{model: Model, el: HTMLElement, signal: AbortSignal}} place */
  render({ model, el, signal }) {
    show("budget", { model, el, signal, heed }, (root, port, part) => createBudget(root, port, { part, signal, form: form?.createForm, finder: form?.createFinder }));
  },
});
