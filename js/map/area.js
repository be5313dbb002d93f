/** A circle, a cone or a line that chooses by name, while a form asks for several: Python says what it covers, and who is there. */
import { nothing } from "lit-html";

import { claim } from "../shared/press.js";
import { html, tr } from "../shared/tongue.js";

/** @import { Port } from "../shared/port.js" */
/** @import { MapArea, MapData } from "../shared/types.js" */
/** @import { Spot } from "./geometry.js" */

const SHAPES = [["circle", "Circle"], ["cone", "Cone"], ["line", "Line"]];

/**
 * @param {Port["ask"]} ask
 * @param {{view: () => MapData, aimed: () => string[], take: (names: string[]) => void, start: () => void, redraw: () => void, say: (words: string) => void}} map
 *   `take` aims at those there, `start` gives the keys to the ground
 */
export const createArea = (ask, { view, aimed, take, start, redraw, say }) => {
  let isWanted = false;
  /** @type {string | undefined} */
  let shape;
  /** How far it reaches, as it is typed; else as far as it is drawn. */
  let size = "";
  /** @type {Spot | string | undefined} */
  let from;
  /** @type {Spot | string | undefined} */
  let to;
  /** Whether a pointer still draws it: then nobody is aimed at yet. */
  let isDrawn = false;
  let isAsking = false;
  /** @type {MapArea | undefined} */
  let answer;
  let why = "";

  /** Where whoever acts stands. */
  const here = () => view().tokens[view().whose ?? ""]?.at;
  /** Where it begins: a cone or a line with whoever acts, unless it is drawn from elsewhere. */
  const begin = () => from ?? (shape === "circle" ? undefined : here());
  /** What is to be asked, once it is drawn far enough. */
  const question = () => {
    const at = begin();
    if (!shape || at === undefined || (to === undefined && !(shape === "circle" && size))) return undefined;
    return { kind: "area", shape, at, ...(to !== undefined && { towards: to }), ...(size && { size: Number(size) }) };
  };

  /** Asks who is there: one question at a time, the newest next. */
  const reckon = async () => {
    const asked = question();
    redraw();
    if (!asked || isAsking) return;
    isAsking = true;
    const [was, drawn] = [JSON.stringify(asked), isDrawn];
    const found = await ask(asked).catch((/** @type {{reason: string}} */ refusal) => refusal);
    isAsking = false;
    if (JSON.stringify(question()) !== was || isDrawn !== drawn) return void reckon();
    answer = "names" in found ? /** @type {MapArea} */ (/** @type {unknown} */ (found)) : undefined;
    why = answer ? "" : String(/** @type {{reason: unknown}} */ (found).reason);
    if (!drawn && answer) take(answer.names);
    if (!drawn) say(answer ? `${answer.says}: ${aimed().join(", ") || tr("nobody to aim at")}.` : why);
    redraw();
  };

  /** @param {string} [next] none ends it */
  const turn = (next) => {
    [shape, from, to, answer, why] = [next, undefined, undefined, undefined, ""];
    redraw();
    if (next) start();
  };

  /** In the box, Enter leads to the ground. @param {KeyboardEvent} event */
  const enter = (event) => {
    if (event.key !== "Enter") return;
    claim(event);
    start();
  };

  const hint = () => (begin() === undefined ? (shape === "circle" ? "Tap its middle, or drag from there." : "Tap where it begins.") : "Tap how far it reaches.");

  return {
    isOpen: () => shape !== undefined,
    isWanted: () => isWanted,
    close: () => turn(),
    /** Whether a form asks for several. @param {boolean} now */
    want: (now) => {
      if (isWanted === now) return;
      isWanted = now;
      turn();
    },
    /** @param {Spot | string} place */
    tap: (place) => {
      const isMiddle = shape === "circle" && (size || from === undefined || to !== undefined);
      if (shape !== "circle" && here() !== undefined) from = undefined;
      if (isMiddle || begin() === undefined) [from, to, answer] = [place, undefined, undefined];
      else if (shape === "circle" || String(place) !== String(begin())) to = place;
      reckon();
    },
    /** Draws it from one place to another. @param {Spot | string | undefined} start @param {Spot | string | undefined} end */
    drag: (start, end) => {
      if (start === undefined || end === undefined || (isDrawn && String(end) === String(to))) return;
      [from, to, size, isDrawn] = [start, end, "", true];
      reckon();
    },
    drop: () => {
      if (!isDrawn) return;
      isDrawn = false;
      reckon();
    },
    /** What is drawn; of a circle at first its middle. @returns {MapArea["cells"]} */
    cells: () => answer?.cells ?? (Array.isArray(from) ? [[from[1], from[0], from[0]]] : undefined),
    row: () => html`<div class="mp-row" role="group" aria-label="Area"
      ><div class="mp-tray">${SHAPES.map(([id, title]) => html`<button type="button" class="ck-btn" aria-pressed=${shape === id} @click=${() => turn(shape === id ? undefined : id)}>${title}</button>`)}</div
      >${shape ? html`<label class="ck-check"><input class="ck-field" .style=${"inline-size:56px"} type="number" min="0" step="any" aria-label="How far it reaches" .value=${size} @keydown=${enter} @input=${(/** @type {{target: HTMLInputElement}} */ { target }) => {
        size = target.value;
        reckon();
      }} /><span>${view().unit}</span></label>` : nothing
      }<p class="mp-says">${why || (answer ? html`<b>${answer.says}</b> ${(isDrawn ? answer.names : aimed()).join(", ") || "nobody to aim at"}` : shape ? hint() : "An area aims at all who stand in it.")}</p></div>`,
  };
};
