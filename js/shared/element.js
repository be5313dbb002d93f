/** Makes an element with what it has from the first. @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Partial<HTMLElementTagNameMap[T]>} [traits] */
export const element = (tag, traits) => Object.assign(document.createElement(tag), traits);

/** What the ids of one view begin with, and those of no other on the page. */
export const ownPrefix = () => `ck${Math.random().toString(36).slice(2)}`;
