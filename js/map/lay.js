/** Laying a picture below the map: a file that is dropped or chosen, then how many px a square has, and where it lies. */
import { nothing } from "lit-html";

import { claim, isPlain, once } from "../shared/press.js";
import { html, tr } from "../shared/tongue.js";
import { holdsPicture, KINDS, sendPicture } from "./picture.js";

/** @import { Port } from "../shared/port.js" */
/** @import { MapData, MapPicture } from "../shared/types.js" */
/** @import { Spot } from "./geometry.js" */

/** How many px a square may have, and how far an arrow moves the picture, with Shift farther. */
const LEAST = 4;
const MOST = 8_192;
const STEP = { near: 1, far: 10 };
/** @type {Record<string, Spot>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * How a picture lies as long as it isn't said that it shall, under a grid that stays.
 *
 * @typedef {{square: number, at: Spot, shown: boolean}} Lie
 */

/**
 * @param {Port} port
 * @param {{view: () => MapData, middle: () => Spot, redraw: () => void, say: (words: string) => void, find: (selector: string) => HTMLElement | null}} map
 */
export const createLaying = ({ ask, send }, { view, middle, redraw, say, find }) => {
  let isOpen = false;
  /** @type {Lie | undefined} */
  let lie;
  /** What is under way, or was refused. */
  let told = "";

  const picture = () => view().picture;
  /** @returns {Lie} */
  const now = () => lie ?? { square: picture()?.square ?? 1, at: /** @type {Spot} */ (picture()?.at ?? [0, 0]), shown: picture()?.shown ?? true };

  /** @param {string} words */
  const tell = (words) => {
    told = tr(words);
    say(told);
    redraw();
  };

  const refuse = (/** @type {{reason: string}} */ { reason }) => tell(reason);

  /** @param {Partial<Lie>} more */
  const change = (more) => {
    lie = { ...now(), ...more };
    told = "";
    redraw();
  };

  /** Makes squares so large, around the middle of what is seen. @param {number} square */
  const scale = (square) => {
    if (!(square >= LEAST && square <= MOST)) return;
    const { square: old, at: [x, y] } = now();
    const [mx, my] = middle();
    change({ square, at: [x + mx * (old - square), y + my * (old - square)] });
  };

  const close = () => {
    isOpen = false;
    lie = undefined;
    told = "";
    redraw();
    find(".mp-lays")?.focus();
  };

  const lay = () => {
    if (lie) send({ kind: "map_look", ...lie }, refuse);
    close();
  };

  const off = () => {
    send({ kind: "map_look", off: true }, refuse);
    close();
  };

  /** @param {File | undefined} file */
  const take = async (file) => {
    if (!file) return;
    isOpen = true;
    lie = undefined;
    tell(`Reading ${file.name} …`);
    try {
      const name = await sendPicture(ask, file);
      tell("");
      say(tr(`${name} lies below the map.`));
      find('.mp-lay [type="number"]')?.focus();
    } catch (refusal) {
      refuse(/** @type {{reason: string}} */ (refusal));
    }
  };

  const choose = () => find('.mp-lay [type="file"]')?.click();

  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const way = WAYS[event.key];
    if (!way || !isPlain(event)) return;
    claim(event);
    const { at: [x, y] } = now();
    const step = event.shiftKey ? STEP.far : STEP.near;
    change({ at: [x - way[0] * step, y - way[1] * step] });
  };

  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key !== "Enter" || !(/** @type {Element} */ (event.target).matches('[type="number"]'))) return;
    claim(event);
    lay();
  };

  /** @param {MapPicture} given */
  const form = ({ name, size: [wide = 0, high = 0] }) => {
    const { square, shown } = now();
    const isHexes = view().board === "hexes";
    const [across, down] = [Math.round(wide / square), Math.round(high / square)];
    return html`<b>${name}</b
      ><label class="ck-check"><span>${isHexes ? "One hex has" : "One square has"}</span><input class="ck-field" .style=${"inline-size:84px"} type="number" min=${LEAST} max=${MOST} step="any" .value=${String(Math.round(square * 100) / 100)} @input=${(/** @type {{target: HTMLInputElement}} */ { target }) => scale(Number(target.value))} /><span>px</span></label
      ><span>${isHexes ? html`${across} by ${down} hexes` : html`${across} by ${down} squares`}</span
      ><button type="button" class="ck-btn" aria-description="With the arrow keys, or drag the ground; with Shift by 10 px." @keydown=${move}>Move it</button
      ><label class="ck-check"><input type="checkbox" .checked=${shown} @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => change({ shown: target.checked })} />Players see it</label
      >${view().second ? nothing : html`<button type="button" class="ck-btn" @click=${choose}>Another picture</button>`}<button type="button" class="ck-btn" @click=${once(off)}>Take it off</button
      ><button type="button" class="ck-btn" @click=${close}>Not now</button><button type="button" class="ck-btn is-main" @click=${once(lay)}>Done</button>`;
  };

  return {
    isOpen: () => isOpen,
    close,
    take,
    /** The picture as it lies just now. */
    shown: () => {
      const given = picture();
      return given && lie ? { ...given, ...lie } : given;
    },
    /** What a drag of the ground begins with, and what it comes to, in widths of a square. */
    from: () => now().at,
    drag: (/** @type {Spot} */ [x, y], /** @type {Spot} */ [dx, dy]) => change({ at: [x - dx * now().square, y - dy * now().square] }),
    button: () => html`<button type="button" class="ck-btn is-mini mp-lays" aria-expanded=${isOpen} @click=${() => (isOpen ? close() : ((isOpen = true), redraw(), find(".mp-lay input:not([hidden]), .mp-lay button")?.focus()))}>Picture</button>`,
    row: () => html`<div class="mp-row mp-lay" role="group" aria-label="Picture below the map" .style=${"flex-wrap:wrap;padding-block:8px"} @keydown=${key}
      ><input type="file" accept=${KINDS} hidden aria-label="File" @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => {
        take(target.files?.[0]);
        target.value = "";
      }} />${told ? html`<p class="mp-says">${told}</p>` : nothing}${
        picture() ? form(/** @type {MapPicture} */ (picture())) : html`<p class="mp-says">Drop a PNG, JPEG or WebP on the map, or choose one.</p><button type="button" class="ck-btn is-main" @click=${choose}>Choose a file</button><button type="button" class="ck-btn" @click=${close}>Not now</button>`
      }</div>`,
    /** A file that is dragged over the map, or dropped there. @param {DragEvent} event */
    heed: (event) => {
      if (!holdsPicture(event)) return;
      claim(event);
      if (event.type === "drop") take(event.dataTransfer?.files[0]);
    },
  };
};
