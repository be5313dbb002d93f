/**
 * What a view and whoever drives it are to each other: types only, nothing here runs. What comes over the wire is told in
 * `types.js`, which is made.
 *
 * @typedef {{reason: string, rule?: string}} Refusal
 * @typedef {{kind: string, [argument: string]: unknown}} Intent
 *
 * What a view may ask of whoever drives it.
 * @typedef {object} Port
 * @property {(intent: Intent, refused: (refusal: Refusal) => void) => void} send
 * @property {(question: Intent) => Promise<any>} ask
 * @property {() => number | undefined} moment which moment is shown, at a table: what is sent later names the one it was meant for
 *
 * What anywidget hands over, as far as it is used here.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(content: unknown) => void} send
 * @property {(name: string, callback: (...given: any[]) => void) => void} on
 *
 * @typedef {{exports: any, render: (options: {el: HTMLElement, signal?: AbortSignal}) => Promise<void>}} Child
 * @typedef {{getWidget: (ref: string) => Promise<Child>}} Host
 */

export {};
