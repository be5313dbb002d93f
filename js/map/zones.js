/** A map of zones: areas with their names, which of them touch, and who is in each. */
import { nothing, svg } from "lit-html";

import { tokenIn } from "../shared/marks.js";
import { halves } from "../shared/name.js";

/** @import { MapData, MapToken } from "../shared/types.js" */

const GAP = 14;
const STEP = 58;
/** About as wide as a letter of a name is. */
const LETTER = 6.2;
/** A row of people, and all of a box above and below the first. */
const ROW = 50;
const ROWLESS = 96 - ROW;
/** A longer name is told by its end. */
const SHORT = 10;
/** In a narrower box there is no room for what a band means. */
const NOTED = 160;

/** @param {MapData} view @param {number} width @param {number} height */
export const boxesOf = ({ zones }, width, height) => {
  const columns = Math.max(...zones.map(({ at: [x] }) => x)) + 1;
  const rows = Math.max(...zones.map(({ at: [, y] }) => y)) + 1;
  const [wide, high] = [(width - GAP) / columns, (height - GAP) / rows];
  return zones.map(({ at: [x, y] }) => ({ x: GAP + x * wide, y: GAP + y * high, wide: wide - GAP, high: high - GAP }));
};

/** @param {string} name */
const short = (name) => (name.length > SHORT ? halves(name)[1].trim() || name : name);

/** How far apart people stand side by side, so that no name lies over another or beyond the box. @param {string[]} names @param {number} wide */
export const stepOf = (names, wide) => Math.min(Math.max(STEP, ...names.map((name) => short(name).length * LETTER + 4)), wide - 12);

/** @param {MapData} view @param {[string, MapToken]} who @param {number} x @param {number} y */
const person = (view, [id, each], x, y) =>
  svg`<g class="mp-tok ${each.status === "out" ? "is-out" : ""}" data-token=${id} transform="translate(${x} ${y})"><circle class="plate" r="15" />${tokenIn(view.sides[each.side]?.mark, each.initials, each.portrait, each.veil)}${
    each.vital ? svg`<rect class="mp-hp" x="-10" y="16" width="20" height="3" /><rect class="mp-left" x="-10" y="16" width=${20 * Math.min(1, Math.max(0, each.vital[0] / (each.vital[1] || 1)))} height="3" />` : nothing
  }<text class="mp-name ${id === view.current && !view.past ? "is-now" : ""}" y="30" text-anchor="middle">${short(each.name)}</text></g>`;

/**
 * @param {MapData} view @param {number} width @param {number} height @param {string | undefined} goal
 */
export const drawn = (view, width, height, goal) => {
  const boxes = boxesOf(view, width, height);
  const open = new Set(view.reach.flatMap(({ zones }) => zones ?? []));
  const here = view.tokens[view.current ?? ""]?.at;
  const mover = view.tokens[view.whose ?? ""];
  const middle = view.zones.map((_, at) => {
    const { x, y, wide, high } = /** @type {typeof boxes[number]} */ (boxes[at]);
    return [x + wide / 2, y + high / 2];
  });
  return svg`${view.zones.map(({ beside }, at) => beside.filter((other) => other > at).map((other) => svg`<path class="mp-bridge" d="M${middle[at]}L${middle[other]}" />`))}${view.zones.map((zone, at) => {
    const { x, y, wide, high } = /** @type {typeof boxes[number]} */ (boxes[at]);
    const who = Object.entries(view.tokens).filter(([, each]) => each.at === zone.name);
    const step = stepOf(who.map(([, { name }]) => name), wide);
    const columns = Math.max(1, Math.floor((wide - 12) / step));
    const most = columns * Math.max(1, Math.floor((high - ROWLESS) / ROW));
    const isNow = zone.name === here && !view.past;
    const note = zone.note && wide >= NOTED ? ` · ${zone.note}` : "";
    return svg`<g data-zone=${at}><rect class="mp-zone ${isNow ? "is-here" : zone.name === goal ? "is-goal" : open.has(zone.name) ? "is-open" : ""}" x=${x} y=${y} width=${wide} height=${high} rx="6" /><text class="mp-title" x=${x + 12} y=${y + 22}>${zone.name}</text
      ><text class="mp-band ${isNow ? "is-now" : ""}" x=${x + 12} y=${y + 38}>${zone.word ?? ""}${note}</text>${who.slice(0, most).map((each, index) => person(view, each, x + 5 + (index % columns + 0.5) * step, y + 62 + Math.floor(index / columns) * ROW))}${
        who.length > most ? svg`<text class="mp-band" x=${x + wide - 12} y=${y + 22} text-anchor="end">+${who.length - most}</text>` : nothing
      }${zone.name === goal && mover ? svg`<g class="mp-ghost" transform="translate(${x + wide - 26} ${y + high - 24})">${tokenIn(view.sides[mover.side]?.mark, mover.initials, mover.portrait)}</g>` : nothing}</g>`;
  })}`;
};
