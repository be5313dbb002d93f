/** What is drawn of a map of squares or hexes, lowest first. Text stands in its own size, however near one is. */
import { nothing, svg } from "lit-html";

import { tokenIn } from "../shared/marks.js";
import { tr } from "../shared/tongue.js";
import { around, cellsOf, filled, grid, kindOf, outline } from "./geometry.js";

/** @import { Kind, Spot } from "./geometry.js" */
/** @import { MapData, MapToken, MapWay } from "../shared/types.js" */

/**
 * What is seen: cells so wide, and where on the ground its middle lies, in widths of a cell.
 *
 * @typedef {{kind: Kind, size: number, middle: Spot, width: number, height: number}} Sight
 *
 * @typedef {object} Scene
 * @property {MapData} view
 * @property {Sight} sight
 * @property {string} prefix for ids, unique on the page
 * @property {Spot | undefined} goal
 * @property {string[]} aimed who is aimed at
 * @property {string} ghost who is about to stand there
 * @property {MapWay[]} ways the one chosen first
 */

/** Below a token so wide no initials fit; below a cell so wide no names. */
const READ = { initials: 20, names: 30 };
const TOKEN = 28;
/** How far from its middle a cross-hair lies around one. */
const AIMED = 20;

/** How wide cells are at most when a map is opened, and at least. */
const MOST = 40;
export const LEAST = 14;
/** So many cells are seen around those who stand there. */
const MARGIN = 2.5;

/** What is seen at first: everybody, as large as there is room. @param {MapData} view @param {number} width @param {number} height @returns {{size: number, middle: Spot}} */
export const fitted = ({ board, tokens }, width, height) => {
  const kind = kindOf(board);
  const spots = Object.values(tokens).flatMap(({ at }) => (Array.isArray(at) ? [kind.centre(at)] : []));
  const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)];
  const [left, right, top, bottom] = spots.length ? [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] : [0, 0, 0, 0];
  const size = Math.min(MOST, width / (right - left + 2 * MARGIN), height / (bottom - top + 2 * MARGIN));
  return { size: Math.max(LEAST, size), middle: [(left + right) / 2, (top + bottom) / 2] };
};

const letter = (/** @type {number} */ mark) => "abcd"[mark % 4];
/** Which way each side's hatching runs. */
const HATCHED = [45, 45, -45, 90];

/** @param {Sight} sight @param {Spot} cell @returns {Spot} in px, from the middle of what is seen */
export const placeOf = ({ kind, size }, cell) => {
  const [x, y] = kind.centre(cell);
  return [x * size, y * size];
};

/** What regions are drawn as, once. @type {WeakMap<object, {size: number, tokens: object, path: string}>} */
const paths = new WeakMap();

/** The path around the cells of something that the view has, and around those within it where somebody stands. @param {Scene} scene @param {object} key @param {() => Spot[]} cells */
const regionOf = ({ view: { tokens }, sight: { kind, size } }, key, cells) => {
  const known = paths.get(key);
  if (known?.size === size && known.tokens === tokens) return known.path;
  const spots = Object.values(tokens).flatMap(({ at }) => (Array.isArray(at) ? [at] : []));
  const path = outline(kind, filled(kind, cells(), spots), size);
  paths.set(key, { size, tokens, path });
  return path;
};

/** Words on a contour: below it, in its middle. @param {Sight} sight @param {Spot[]} cells @param {string} words */
const wordsOn = (sight, cells, words) => {
  const spots = cells.map((cell) => placeOf(sight, cell));
  const low = Math.max(...spots.map(([, y]) => y));
  const row = spots.filter(([, y]) => y === low).map(([x]) => x);
  return svg`<text class="mp-word" x=${(Math.min(...row) + Math.max(...row)) / 2} y=${low + sight.size / 2 + 5}>${words}</text>`;
};

/** How far each action leads: solid the cheapest, dotted those after it. @param {Scene} scene */
const reaches = (scene) => {
  const { view, sight } = scene;
  /** @type {Spot[]} */
  let cells = [];
  return view.reach.map((reach, at) => {
    cells = [...cells, ...cellsOf(reach.cells ?? [])];
    const all = cells;
    const path = regionOf(scene, reach, () => all);
    return [svg`<path class="mp-edge ${at ? "is-far" : ""}" d=${path} />`, wordsOn(sight, all, `${reach.title.toLowerCase()} ${reach.far}`)];
  });
};

/** What is threatened, in its side's colour and its own direction. @param {Scene} scene */
const threats = (scene) =>
  scene.view.threat.map((threat) => {
    const path = regionOf(scene, threat, () => cellsOf(threat.cells));
    const mark = scene.view.sides[threat.side]?.mark ?? 0;
    const id = `${scene.prefix}-h${mark}`;
    return svg`<pattern id=${id} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(${HATCHED[mark % 4]})"
        ><line class="mp-hatch ck-${letter(mark)}" y2="7" /></pattern
      ><path class="mp-threat ck-${letter(mark)}" d=${path} fill="url(#${id})" />`;
  });

/** A weapon's range, from whoever's ground it is. @param {Scene} scene */
const ranges = ({ view, sight, aimed }) => {
  const at = view.tokens[view.whose ?? ""]?.at;
  if ((view.reach.length && !aimed.length) || !Array.isArray(at)) return nothing;
  const [x, y] = at;
  return view.ranges.map((range) => {
    if (!range.cells) return nothing;
    const cells = cellsOf(range.cells).map(([dx, dy]) => /** @type {Spot} */ ([x + dx, y + dy]));
    return [svg`<path class="mp-edge is-range" d=${outline(sight.kind, cells, sight.size)} />`, wordsOn(sight, cells, `${range.weapon}, ${range.far}`)];
  });
};

/** Who may attack somebody, and where that is: an arrow, and an exclamation mark. @param {Pick<Scene, "view" | "sight">} scene @param {string} id @param {Spot} spot */
const strike = ({ view, sight }, id, [x, y]) => {
  const who = view.tokens[id];
  if (!Array.isArray(who?.at)) return nothing;
  const [fx, fy] = placeOf(sight, who.at);
  const far = Math.hypot(x - fx, y - fy) || 1;
  /** @param {number} gone */
  const on = (gone) => /** @type {Spot} */ ([fx + ((x - fx) * gone) / far, fy + ((y - fy) * gone) / far]);
  const [tip, [bx, by]] = [on(far - 13), on(far - 21)];
  const [nx, ny] = [((y - fy) * 4.5) / far, ((fx - x) * 4.5) / far];
  return svg`<g class="mp-strike ck-${letter(view.sides[who.side]?.mark ?? 0)}"><path d="M${on(TOKEN / 2)}L${[bx, by]}" /><path class="tip" d="M${tip}L${[bx + nx, by + ny]}L${[bx - nx, by - ny]}z"
    /></g><g class="mp-bang" transform="translate(${x - 8} ${y + 10})"><circle r="7.5" /><text y="4">!</text></g>`;
};

/** A pale token. @param {Scene} scene @param {MapToken | undefined} who @param {Spot} spot */
const pale = ({ view, sight }, who, [x, y]) =>
  who ? svg`<g class="mp-ghost" transform="translate(${x} ${y}) scale(${Math.min(1, (sight.size * 0.8) / TOKEN)})">${tokenIn(view.sides[who.side]?.mark, who.initials, who.portrait)}</g>` : nothing;

/** A move that play has stopped in: what is behind and what is before whoever moves, and who is asked. @param {Scene} scene */
const halted = (scene) => {
  const { view, sight } = scene;
  const { who = "", gone = [], left = [], asks = [] } = view.halt ?? {};
  const at = view.tokens[who]?.at;
  if (!Array.isArray(at)) return nothing;
  const spots = (/** @type {unknown[]} */ places) => places.flatMap((place) => (Array.isArray(place) ? [placeOf(sight, /** @type {Spot} */ (place))] : []));
  const [behind, ahead] = [spots(gone), spots([at, ...left])];
  const goal = /** @type {Spot | undefined} */ (left.at(-1));
  return [
    svg`<polyline class="mp-halo" points=${behind.join(" ")} /><polyline class="mp-path" points=${behind.join(" ")} /><polyline class="mp-path is-left" points=${ahead.join(" ")} />`,
    behind.slice(0, -1).map(([x, y]) => svg`<circle class="mp-dot" cx=${x} cy=${y} r="3.5" />`),
    goal ? [svg`<path class="mp-goal" d=${around(sight.kind, goal, sight.size)} />`, pale(scene, view.tokens[who], placeOf(sight, goal))] : nothing,
    asks.map((id) => strike(scene, id, placeOf(sight, at))),
  ];
};

/** In the past: where somebody goes later in the round. @param {Scene} scene */
const later = (scene) =>
  scene.view.ghosts?.map(({ who, at, seq }) => {
    const from = scene.view.tokens[who]?.at;
    if (!Array.isArray(at)) return nothing;
    const [x, y] = placeOf(scene.sight, at);
    const line = Array.isArray(from) ? svg`<polyline class="mp-path is-other" points=${[placeOf(scene.sight, from), [x, y]].join(" ")} />` : nothing;
    return [line, pale(scene, scene.view.tokens[who], [x, y]), svg`<text class="mp-word" x=${x} y=${y - 18}>${tr(`event ${seq}`)}</text>`];
  });

/** The ways: the chosen one as a line with a dot a step, another dotted; where somebody may attack, an exclamation mark and who. @param {Scene} scene */
const ways = ({ view, sight, ways: shown, goal }) => {
  const from = view.tokens[view.whose ?? ""]?.at;
  if (!shown.length || !Array.isArray(from) || !goal) return nothing;
  const line = (/** @type {MapWay} */ way) => [from, ...way.path].map((cell) => placeOf(sight, /** @type {Spot} */ (cell)));
  const [chosen, ...others] = shown;
  const spots = line(/** @type {MapWay} */ (chosen));
  return [
    others.map((way) => svg`<polyline class="mp-path is-other" points=${line(way).join(" ")} />`),
    svg`<polyline class="mp-halo" points=${spots.join(" ")} /><polyline class="mp-path" points=${spots.join(" ")} />`,
    spots.slice(1).map(([x, y]) => svg`<circle class="mp-dot" cx=${x} cy=${y} r="3.5" />`),
    chosen?.asks.map(([who, step]) => strike({ view, sight }, Object.keys(view.tokens).find((id) => view.tokens[id]?.name === who) ?? "", spots[step] ?? [0, 0])),
  ];
};

/** Who is aimed at: a cross-hair, a line from whoever aims, and how far it is. @param {Scene} scene */
const aims = ({ view, sight, aimed }) => {
  const from = view.tokens[view.whose ?? ""]?.at;
  return aimed.map((id) => {
    const at = view.tokens[id]?.at;
    if (!Array.isArray(at) || !Array.isArray(from) || id === view.whose) return nothing;
    const [[x, y], [fx, fy]] = [placeOf(sight, at), placeOf(sight, from)];
    const far = Math.hypot(x - fx, y - fy) || 1;
    const [dx, dy] = [((x - fx) * AIMED) / far, ((y - fy) * AIMED) / far];
    return svg`<path class="mp-aim" d=${`M${fx + dx} ${fy + dy}L${x - dx} ${y - dy}`} /><g class="mp-cross" transform="translate(${x} ${y})"><circle r=${AIMED} /><path d="M0-24v8M0 24v-8M-24 0h8M24 0h-8" /></g>`;
  });
};

/** Where a token stands in its cell, and how large, if several share it. @param {number} many @param {number} at @returns {[number, number, number]} */
const share = (many, at) => (many < 2 ? [0, 0, 1] : [at % 2 ? 8 : -8, many > 2 ? (at < 2 ? -8 : 8) : 0, 0.5]);

/** How far a name of 11 px reaches a letter, and from how high to how low it lies below a token, or beside it. */
const NAME = { letter: 6.5, below: [19, 33], beside: [-8, 6] };

/** On which side of a token its name stands: below it, unless that is on another token, or beside the name of a neighbour. @param {Pick<Scene, "view" | "sight">} scene @param {string} id @param {number} x @param {number} y @returns {[number, string]} */
export const aside = ({ view, sight }, id, x, y) => {
  const others = Object.entries(view.tokens).flatMap(([other, { at }]) => {
    const [ox, oy] = other !== id && Array.isArray(at) ? placeOf(sight, at) : [Infinity, 0];
    return ox < Infinity ? [[ox - x, oy - y]] : [];
  });
  const wide = (view.tokens[id]?.name.length ?? 0) * NAME.letter;
  /** @param {number} left @param {number[]} rows */
  const isFree = (left, [top = 0, low = 0]) => others.every(([ox = 0, oy = 0]) => Math.abs(ox - left - wide / 2) > (TOKEN + wide) / 2 || oy + TOKEN / 2 < top || oy - TOKEN / 2 > low);
  const near = others.filter(([ox = 0, oy = 0]) => Math.abs(oy) < 16 && Math.abs(ox) < 84).map(([ox = 0]) => ox);
  const isBetween = near.some((each) => each < 0) && near.some((each) => each > 0);
  const to = near.length && !isBetween ? -Math.sign(near[0] ?? 0) : isFree(-wide / 2, NAME.below) ? 0 : ([1, -1].find((side) => isFree(side > 0 ? 20 : -20 - wide, NAME.beside)) ?? 0);
  return [to, to ? (to > 0 ? "start" : "end") : "middle"];
};

/**
 * Somebody: the mark of their side, what they have left, their name.
 *
 * @param {Scene} scene @param {[string, MapToken]} who @param {number} many how many stand there @param {number} at which of them it is
 */
const person = (scene, [id, each], many, at) => {
  const { view, sight, aimed } = scene;
  const [x, y] = placeOf(sight, /** @type {Spot} */ (each.at));
  if (at > 3) return nothing;
  const [dx, dy, part] = share(many, at);
  const wide = Math.min(TOKEN, sight.size * 0.8) * part;
  const mark = view.sides[each.side]?.mark ?? 0;
  const [left, full] = each.vital ?? [0, 0];
  const isOut = each.status === "out";
  const [beside, anchor] = many > 1 ? [0, "middle"] : aside(scene, id, x, y);
  return svg`<g class="mp-tok ${isOut ? "is-out" : ""}" data-token=${id} transform="translate(${x + dx} ${y + dy})"
    ><title>${full ? `${each.name}: ${left}/${full}` : each.name}</title><circle class="plate" r=${wide * 0.55} /><g transform="scale(${wide / TOKEN})" .style=${`--f:${(11 * TOKEN) / wide}px`}>${tokenIn(mark, wide < READ.initials ? "" : each.initials, wide < READ.initials ? "" : each.portrait, each.veil)}</g
    >${isOut ? svg`<path class="mp-x" d="M-8-8L8 8M8-8L-8 8" transform="scale(${wide / TOKEN})" />` : nothing
    }${full && many < 2 ? svg`<rect class="mp-hp" x="-10" y=${wide / 2 + 2} width="20" height="3" /><rect class="mp-left" x="-10" y=${wide / 2 + 2} width=${20 * Math.min(1, Math.max(0, left / full))} height="3" />` : nothing
    }${sight.size >= READ.names && (many < 2 || !at) ? svg`<text class="mp-name ${id === view.current && !view.past ? "is-now" : ""}" x=${beside * (wide / 2 + (aimed.includes(id) ? 14 : 6))} y=${beside ? 4 : (many > 2 ? 16 : 0) + wide / 2 + 16} text-anchor=${anchor}>${[each.name, many > 1 ? ` +${many - 1}` : "", aimed.length && view.apart[id] ? ` · ${view.apart[id]}` : ""].join("")}</text>` : nothing
    }</g>`;
};

/** Everybody who stands on a square or hex. @param {Scene} scene */
const people = (scene) => {
  /** @type {Map<string, [string, MapToken][]>} */
  const cells = new Map();
  for (const each of Object.entries(scene.view.tokens)) {
    const key = Array.isArray(each[1].at) ? String(each[1].at) : "";
    if (key) cells.set(key, [...(cells.get(key) ?? []), each]);
  }
  return [...cells.values()].map((group) => group.map((each, at) => person(scene, each, group.length, at)));
};

/** The numbers of columns and rows, at the edge of what is seen. @param {Sight} sight */
const numbers = ({ kind, size, middle: [mx, my], width, height }) => {
  if (kind.corners.length > 4) return nothing;
  const [left, top] = [mx - width / size / 2, my - height / size / 2];
  const step = size < 24 ? 4 : 2;
  /** @param {number} from @param {number} long */
  const steps = (from, long) => Array.from({ length: Math.ceil(long / size / step) + 1 }, (_, at) => (Math.ceil(from / step) + at) * step);
  return [
    steps(left, width).map((x) => svg`<text class="mp-xy" x=${x * size} y=${(top * size) + 12}>${x}</text>`),
    steps(top, height).map((y) => svg`<text class="mp-xy" x=${(left * size) + 11} y=${y * size + 4}>${y}</text>`),
  ];
};

/** All of it, around the middle of what is seen. @param {Scene} scene */
export const drawn = (scene) => {
  const { view, sight, goal, ghost } = scene;
  const { kind, size, middle, width, height } = sight;
  const [mx, my] = [middle[0] * size, middle[1] * size];
  const half = [width / size / 2, height / size / 2];
  const here = view.tokens[view.current ?? ""]?.at;
  const mover = view.tokens[ghost];
  return svg`<g transform="translate(${width / 2 - mx} ${height / 2 - my})"
    ><path class="mp-grid" d=${grid(kind, [middle[0] - (half[0] ?? 0) - 1, middle[1] - (half[1] ?? 0) - 1], [middle[0] + (half[0] ?? 0) + 1, middle[1] + (half[1] ?? 0) + 1], size)} />${threats(scene)}${scene.aimed.length ? nothing : reaches(scene)}${ranges(scene)}${numbers(sight)}${
      Array.isArray(here) ? svg`<path class=${view.past ? "mp-then" : "mp-here"} d=${around(kind, here, size - 3 / size)} />` : nothing
    }${[goal, ...(view.marked ?? [])].map((at) => (at ? svg`<path class="mp-goal" d=${around(kind, /** @type {Spot} */ (at), size)} />` : nothing))}${later(scene)}${halted(scene)}${ways(scene)}${people(scene)}${aims(scene)}${
      goal ? pale(scene, mover, placeOf(sight, goal)) : nothing
    }</g>`;
};

/** How a place is said. @param {unknown} place */
export const said = (place) => (Array.isArray(place) ? `(${place.join(", ")})`.replaceAll("-", "−") : tr(String(place)));
