/** What an action still needs, spelled out: Python sends each reason once, and no label that a value has of itself. */

/** @import { Choices, Parts, SentChoice, SentParam } from "../shared/types.js" */

/** @typedef {Omit<SentChoice, "side"> & { label: Parts, allowed: boolean, why?: Parts }} Choice a value that may be chosen, or why not */
/** @typedef {Omit<SentParam, "values" | "no" | "titled" | "side"> & { values?: Choice[] }} Param */
/** @typedef {Omit<Choices, "params"> & { params: Param[] }} Spelled */

/** @param {SentParam} sent @returns {Param} */
export const spelled = ({ values, no, titled, side: first, ...field }) => {
  if (!values) return field;
  const choice = (/** @type {unknown} */ each, /** @type {Parts | undefined} */ why) => {
    const isAlone = typeof each !== "object" || Array.isArray(each);
    const { label, side = first, ...said } = /** @type {SentChoice} */ (isAlone ? { value: each } : each);
    const words = [said.value].flat().join(", ").replaceAll("_", " ");
    const own = side === undefined ? (titled ? words.charAt(0).toUpperCase() + words.slice(1) : words) : String(said.value);
    return /** @type {Choice} */ ({ ...said, label: label ?? [...(side === undefined ? [] : [{ side }]), own], allowed: !why, ...(why && { why }) });
  };
  const barred = (no ?? []).flatMap(({ why, values: some }) => some.map((each) => choice(each, why)));
  return { ...field, values: [...values.map((each) => choice(each, undefined)), ...barred] };
};

/** Whether two values are the same: some are several dice, or a place, and come anew with each answer. @param {unknown} one @param {unknown} two */
export const isSame = (one, two) => one === two || JSON.stringify(one) === JSON.stringify(two);

/** Whether a value is chosen: it is what is filled in, or one of several that are. @param {unknown} filled @param {unknown} value */
export const isAmong = (filled, value) => [filled, ...[filled].flat()].some((each) => isSame(each, value));
