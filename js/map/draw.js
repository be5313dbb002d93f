/** What is drawn of a map of squares or hexes, lowest first. Text stands in its own size, however near one is. */
import { nothing, svg } from "lit-html";

import { tokenIn } from "../shared/marks.js";
import { halves } from "../shared/name.js";
import { tr } from "../shared/tongue.js";
import { around, cellsOf, filled, grid, kindOf, outline } from "./geometry.js";

/** @import { Kind, Spot } from "./geometry.js" */
/** @import { MapData, MapPicture, MapToken, MapWay } from "../shared/types.js" */

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
 * @property {[number, number, number][]} [area] what is drawn to aim at all who stand there
 * @property {string} ghost who is about to stand there
 * @property {MapWay[]} ways the one chosen first
 * @property {string[]} [group] who is taken up
 * @property {[string, Spot][]} [along] where they are about to stand who go along
 * @property {Spot[]} [stops] over which somebody goes
 * @property {{start: Spot, end?: Spot}} [ruled] what is measured
 * @property {string} [href] what the picture below is shown from, once it is there
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

/**
 * A picture lies below at 60 %, in the dark at 50; over it are only contours, and numbers on paper of their own. Who forces colours
 * sees none: what stands on it could not be read in theirs.
 */
const VEIL = "fill:light-dark(color-mix(in srgb, var(--ck-surface) 40%, transparent), color-mix(in srgb, var(--ck-surface) 50%, transparent))";
const LINES = "stroke:color-mix(in srgb, var(--ck-ink) 26%, transparent)";
const BARE = "fill:none";
const PAPER = "paint-order:stroke;stroke:var(--ck-surface);stroke-width:3px";
const isForced = () => matchMedia("(forced-colors: active)").matches;

/** Where a picture lies, in widths of a cell: its left, its top, how wide and how high it is. @param {MapPicture} picture */
const frameOf = ({ at: [x = 0, y = 0], size: [wide = 0, high = 0], square }) => [-x / square, -y / square, wide / square, high / square];

/** What is seen at first: everybody, and before the fight all of a picture, as large as there is room. @param {MapData} view @param {number} width @param {number} height @returns {{size: number, middle: Spot}} */
export const fitted = ({ board, tokens, current, picture }, width, height) => {
  const kind = kindOf(board);
  const [x = 0, y = 0, wide = 0, high = 0] = picture && !current ? frameOf(picture) : [];
  /** @type {Spot[]} */
  const corners = wide ? [[x + MARGIN, y + MARGIN], [x + wide - MARGIN, y + high - MARGIN]] : [];
  const spots = [...corners, ...Object.values(tokens).flatMap(({ at }) => (Array.isArray(at) ? [kind.centre(at)] : []))];
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

/** How wide a letter of 11 px is, at most, thin and bold; and how high a line of them, and how much of it is above what it stands on. */
const LETTER = { thin: 6.5, bold: 7.2 };
const LINE = { above: 10, high: 14 };

/** @typedef {{left: number, right: number, top: number, low: number}} Box where something is drawn, in px from the middle of the ground */

/** Where words stand. @param {{words: string, x: number, y: number, from?: number, isNow?: boolean}} place `from` is how much of them is left of `x` @returns {Box} */
const boxOf = ({ words, x, y, from = 0.5, isNow }) => {
  const wide = words.length * LETTER[isNow ? "bold" : "thin"];
  return { left: x - wide * from, right: x + wide * (1 - from), top: y - LINE.above, low: y - LINE.above + LINE.high };
};

/** Whether nothing is there yet, and it is in sight. @param {Sight} sight @param {Box[]} taken @param {Box} box */
const isFree = ({ size, middle: [mx, my], width, height }, taken, { left, right, top, low }) =>
  left >= mx * size - width / 2 && right <= mx * size + width / 2 && top >= my * size - height / 2 && low <= my * size + height / 2
  && taken.every((each) => left >= each.right || each.left >= right || top >= each.low || each.top >= low);

/** The picture below, dimmed so that marks keep their contrast. @param {Scene} scene */
const below = ({ view: { picture }, sight: { size }, href }) => {
  if (!picture || !href || isForced()) return nothing;
  const [x, y, wide, high] = frameOf(picture).map((far) => far * size);
  return svg`<image class="mp-pic" href=${href} x=${x} y=${y} width=${wide} height=${high} preserveAspectRatio="none" /><rect class="mp-veil" x=${x} y=${y} width=${wide} height=${high} .style=${VEIL} />`;
};

/** Words on a contour, near its middle: below it, or above it; where neither has room, there are none. @param {Sight} sight @param {Box[]} taken @param {Spot[]} cells @param {string} words */
const wordsOn = (sight, taken, cells, words) => {
  const spots = cells.map((cell) => placeOf(sight, cell));
  const rows = spots.map(([, y]) => y);
  const places = [[Math.max(...rows), 5 + sight.size / 2], [Math.min(...rows), 3 - sight.size / 2]].flatMap(([row = 0, by = 0]) => {
    const xs = spots.filter(([, y]) => y === row).map(([x]) => x);
    const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
    return [middle, ...xs.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))].map((x) => ({ words, x, y: row + by }));
  });
  const place = places.find((each) => isFree(sight, taken, boxOf(each)));
  if (!place) return nothing;
  taken.push(boxOf(place));
  return svg`<text class="mp-word" x=${place.x} y=${place.y}>${words}</text>`;
};

/** How far each action leads: solid the cheapest, dotted those after it. @param {Scene} scene @param {Box[]} taken @param {unknown[]} said words that are drawn over all lines */
const reaches = (scene, taken, said) => {
  const { view, sight } = scene;
  /** @type {Spot[]} */
  let cells = [];
  return view.reach.map((reach, at) => {
    cells = [...cells, ...cellsOf(reach.cells ?? [])];
    const all = cells;
    const path = regionOf(scene, reach, () => all);
    said.push(wordsOn(sight, taken, all, `${reach.title.toLowerCase()} ${reach.far}`));
    return svg`<path class="mp-edge ${at ? "is-far" : ""}" .style=${scene.href ? BARE : ""} d=${path} />`;
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

/** A weapon's range, from whoever's ground it is. @param {Scene} scene @param {Box[]} taken @param {unknown[]} said */
const ranges = ({ view, sight, aimed }, taken, said) => {
  const at = view.tokens[view.whose ?? ""]?.at;
  if ((view.reach.length && !aimed.length) || !Array.isArray(at)) return nothing;
  const [x, y] = at;
  return view.ranges.map((range) => {
    if (!range.cells) return nothing;
    const cells = cellsOf(range.cells).map(([dx, dy]) => /** @type {Spot} */ ([x + dx, y + dy]));
    said.push(wordsOn(sight, taken, cells, `${range.weapon}, ${range.far}`));
    return svg`<path class="mp-edge is-range" d=${outline(sight.kind, cells, sight.size)} />`;
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
  const [tip, [bx, by]] = [on(far - 15), on(far - 23)];
  const [nx, ny] = [((y - fy) * 4.5) / far, ((fx - x) * 4.5) / far];
  return svg`<g class="mp-strike ck-${letter(view.sides[who.side]?.mark ?? 0)}"><path d="M${on(TOKEN / 2)}L${[bx, by]}" /><path class="tip" d="M${tip}L${[bx + nx, by + ny]}L${[bx - nx, by - ny]}z"
    /></g><g class="mp-bang" transform="translate(${x - 11} ${y - 11})"><circle r="7.5" /><text y="4">!</text></g>`;
};

/** A pale token. @param {Scene} scene @param {MapToken | undefined} who @param {Spot} spot */
const pale = ({ view, sight }, who, [x, y]) =>
  who ? svg`<g class="mp-ghost" transform="translate(${x} ${y}) scale(${Math.min(1, (sight.size * 0.8) / TOKEN)})">${tokenIn(view.sides[who.side]?.mark, who.initials, who.portrait)}</g>` : nothing;

/** A move that play has stopped in: what is behind and what is before whoever moves. @param {Scene} scene */
const halted = (scene) => {
  const { view, sight } = scene;
  const { who = "", gone = [], left = [] } = view.halt ?? {};
  const at = view.tokens[who]?.at;
  if (!Array.isArray(at)) return nothing;
  const spots = (/** @type {unknown[]} */ places) => places.flatMap((place) => (Array.isArray(place) ? [placeOf(sight, /** @type {Spot} */ (place))] : []));
  const [behind, ahead] = [spots(gone), spots([at, ...left])];
  const goal = /** @type {Spot | undefined} */ (left.at(-1));
  return [
    svg`<polyline class="mp-halo" points=${behind.join(" ")} /><polyline class="mp-path" points=${behind.join(" ")} /><polyline class="mp-path is-left" points=${ahead.join(" ")} />`,
    behind.slice(0, -1).map(([x, y]) => svg`<circle class="mp-dot" cx=${x} cy=${y} r="3.5" />`),
    goal ? [svg`<path class="mp-goal" d=${around(sight.kind, goal, sight.size)} />`, pale(scene, view.tokens[who], placeOf(sight, goal))] : nothing,
  ];
};

/** Who may attack: in a move that play has stopped in, and on the way that is chosen. @param {Scene} scene */
const strikes = (scene) => {
  const { view, sight, ways: [chosen], goal } = scene;
  const { who = "", asks = [] } = view.halt ?? {};
  const at = view.tokens[who]?.at;
  const idOf = (/** @type {string} */ name) => Object.keys(view.tokens).find((id) => view.tokens[id]?.name === name) ?? "";
  return [
    Array.isArray(at) ? asks.map((id) => strike(scene, id, placeOf(sight, at))) : nothing,
    goal ? chosen?.asks.map(([name, step]) => strike(scene, idOf(name), placeOf(sight, /** @type {Spot} */ (chosen.path[step - 1] ?? view.tokens[view.whose ?? ""]?.at)))) : nothing,
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

/** The ways: the chosen one as a line with a dot a step, another dotted. @param {Scene} scene */
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

/** What is measured: from the middle of a place to that of another. @param {Sight} sight @param {{start: Spot, end?: Spot}} ruled */
const ruler = (sight, { start, end }) =>
  svg`${[start, ...(end ? [end] : [])].map((at) => svg`<path class="mp-then" d=${around(sight.kind, at, sight.size)} />`)}${end ? svg`<path class="mp-aim" d=${`M${placeOf(sight, start)}L${placeOf(sight, end)}`} />` : nothing}`;

/** @typedef {[string, MapToken][]} Group who share a place; those who are out come last */

/** Everybody who stands on a square or hex, by place. @param {MapData} view @returns {Group[]} */
const groupsOf = ({ tokens }) => {
  /** @type {Map<string, Group>} */
  const cells = new Map();
  for (const each of Object.entries(tokens)) {
    const key = Array.isArray(each[1].at) ? String(each[1].at) : "";
    if (key) cells.set(key, [...(cells.get(key) ?? []), each]);
  }
  return [...cells.values()].map((group) => group.sort(([, one], [, other]) => Number(isOut(one)) - Number(isOut(other))));
};

/** @param {MapToken} each */
const isOut = ({ status }) => status === "out";

/** Where each of those who share a cell stands in it, and how large: one who still stands has it, and who has fallen lies at its corner. @param {Group} group @param {number} at @returns {[number, number, number]} */
const share = (group, at) => {
  if (group.filter(([, each]) => !isOut(each)).length < 2) return at ? [at % 2 ? 13 : -13, at < 3 ? -13 : 13, 0.5] : [0, 0, 1];
  // Two have room for their initials.
  return group.length > 2 ? [at % 2 ? 8 : -8, at < 2 ? -8 : 8, 0.5] : [at ? 10 : -10, 0, 0.72];
};

/** How wide a token is that has its cell for itself. @param {Sight} sight */
const wideOf = ({ size }) => Math.min(TOKEN, size * 0.8);

/** Somebody: the mark of their side, and what they have left. @param {Scene} scene @param {Group} group @param {number} at which of them it is */
const person = ({ view, sight }, group, at) => {
  const [id, each] = /** @type {Group[number]} */ (group[at]);
  const [x, y] = placeOf(sight, /** @type {Spot} */ (each.at));
  if (at > 3) return nothing;
  const [dx, dy, part] = share(group, at);
  const wide = wideOf(sight) * part;
  const [left, full] = each.vital ?? [0, 0];
  return svg`<g class="mp-tok ${isOut(each) ? "is-out" : ""}" data-token=${id} transform="translate(${x + dx} ${y + dy})"
    ><title>${full ? `${each.name}: ${left}/${full}` : each.name}</title><circle class="plate" r=${wide * 0.55} /><g transform="scale(${wide / TOKEN})" .style=${`--f:${(11 * TOKEN) / wide}px`}>${tokenIn(view.sides[each.side]?.mark ?? 0, wide < READ.initials ? "" : each.initials, wide < READ.initials ? "" : each.portrait, each.veil)}</g
    >${isOut(each) ? svg`<path class="mp-x" d="M-8-8L8 8M8-8L-8 8" transform="scale(${wide / TOKEN})" />` : nothing
    }${full && part === 1 ? svg`<rect class="mp-hp" x="-10" y=${wide / 2 + 2} width="20" height="3" /><rect class="mp-left" x="-10" y=${wide / 2 + 2} width=${20 * Math.min(1, Math.max(0, left / full))} height="3" />` : nothing
    }</g>`;
};

/** What lines lead over, which names leave free: the ways, what is left of a move, and to whom somebody aims. @param {Scene} scene @returns {Box[]} */
const underLines = ({ view, sight, aimed, ways: [chosen], goal }) => {
  const { who = "", gone = [], left = [] } = view.halt ?? {};
  const [from, mover] = [view.tokens[view.whose ?? ""]?.at, view.tokens[who]?.at];
  const lines = [goal && chosen ? [from, ...chosen.path] : [], mover ? [...gone, mover, ...left] : [], ...aimed.map((id) => [from, view.tokens[id]?.at])];
  return lines.flatMap((line) => {
    const spots = line.flatMap((at) => (Array.isArray(at) ? [placeOf(sight, /** @type {Spot} */ (at))] : []));
    return spots.slice(1).flatMap(([x, y], index) => {
      const [fx, fy] = /** @type {Spot} */ (spots[index]);
      const steps = Math.ceil(Math.hypot(x - fx, y - fy) / 16);
      return Array.from({ length: steps }, (_, at) => [fx + ((x - fx) * (at + 1)) / steps, fy + ((y - fy) * (at + 1)) / steps]).map(([px = 0, py = 0]) => ({ left: px - 5, right: px + 5, top: py - 5, low: py + 5 }));
    });
  });
};

/** How far around a place tokens reach, whose bar is below them. @param {Scene} scene @param {Group} group @returns {Box} */
const groundOf = ({ sight }, group) => {
  const [x, y] = placeOf(sight, /** @type {Spot} */ (group[0]?.[1].at));
  const half = Math.max(wideOf(sight) / 2, group.length > 1 ? 8 + (wideOf(sight) * share(group, 1)[2]) / 2 : 0);
  return { left: x - half, right: x + half, top: y - half, low: y + half + 5 };
};

/**
 * Where names stand: below a token, beside it, or above it, where no token is and no other name; a long one may be told by its end. Who acts
 * or is aimed at comes first, then who has the least room. Where there is none the token alone says who it is.
 *
 * @param {Scene} scene @param {Group[]} groups @param {Box[]} taken
 */
export const named = ({ view, sight, aimed }, groups, taken) => {
  if (sight.size < READ.names) return [];
  const half = wideOf(sight) / 2;
  const spots = groups.map(([first]) => placeOf(sight, /** @type {Spot} */ (first?.[1].at)));
  /** On which side of somebody nobody is, where a neighbour is on the other. @param {number} at */
  const outOf = (at) => {
    const [x, y] = /** @type {Spot} */ (spots[at]);
    const sides = new Set(spots.filter(([ox, oy]) => ox !== x && Math.abs(oy - y) < 16 && Math.abs(ox - x) < 84).map(([ox]) => Math.sign(x - ox)));
    return sides.size === 1 ? [...sides][0] : 0;
  };
  const wanted = groups.map((group, at) => {
    const [id, each] = /** @type {Group[number]} */ (group[0]);
    const [x, y] = /** @type {Spot} */ (spots[at]);
    const far = aimed.length && view.apart[id] ? ` · ${view.apart[id]}` : "";
    const [below, above, beside] = [half + 16, -half - 8, half + (aimed.includes(id) ? 14 : 6)];
    /** Where a name begins, is in its middle, or ends, and where that stands. @type {[number, number, number][]} */
    const around = [[0.5, 0, below], [0, beside, 4], [1, -beside, 4], [0.5, 0, above], [0, -half, below], [1, half, below], [0, -half, above], [1, half, above]];
    const out = outOf(at);
    const places = out ? around.slice().sort(([, one], [, other]) => Number(other * out === beside) - Number(one * out === beside)) : around;
    const isNow = id === view.current && !view.past;
    const end = halves(each.name)[1].trim();
    const others = group.length - 1;
    const told = others ? [group.map(([, { name }]) => name).join(", "), `${each.name} +${others}`] : [each.name, .../\p{L}/u.test(end) ? [end] : []];
    const all = told.flatMap((name) => places.map(([from, dx, dy]) => ({ id, at, isNow, words: name + far, from, x: x + dx, y: y + dy })));
    const free = all.filter((place) => isFree(sight, taken, boxOf(place)));
    return { free, first: isNow || aimed.includes(id) ? 0 : 1 + free.length };
  });
  return wanted.sort((one, other) => one.first - other.first).flatMap(({ free }) => {
    const place = free.find((each) => isFree(sight, taken, boxOf(each)));
    if (!place) return [];
    taken.push(boxOf(place));
    return [place];
  }).sort((one, other) => one.at - other.at);
};

/** The numbers of columns and rows, at the edge of what is seen. @param {Scene} scene */
const numbers = ({ href, sight: { kind, size, middle: [mx, my], width, height } }) => {
  if (kind.corners.length > 4) return nothing;
  const [left, top] = [mx - width / size / 2, my - height / size / 2];
  const step = size < 24 ? 4 : 2;
  /** @param {number} from @param {number} long */
  const steps = (from, long) => Array.from({ length: Math.ceil(long / size / step) + 1 }, (_, at) => (Math.ceil(from / step) + at) * step);
  return [
    steps(left, width).map((x) => svg`<text class="mp-xy" .style=${href ? PAPER : ""} x=${x * size} y=${(top * size) + 12}>${x}</text>`),
    steps(top, height).map((y) => svg`<text class="mp-xy" .style=${href ? PAPER : ""} x=${(left * size) + 11} y=${y * size + 4}>${y}</text>`),
  ];
};

/** All of it, around the middle of what is seen. @param {Scene} scene */
export const drawn = (scene) => {
  const { view, sight, goal, ghost, ruled } = scene;
  const { kind, size, middle, width, height } = sight;
  const [mx, my] = [middle[0] * size, middle[1] * size];
  const half = [width / size / 2, height / size / 2];
  const here = view.tokens[view.current ?? ""]?.at;
  const mover = view.tokens[ghost];
  const groups = groupsOf(view);
  const taken = [...groups.map((group) => groundOf(scene, group)), ...underLines(scene)];
  const names = named(scene, groups, taken);
  /** @type {unknown[]} */
  const words = [];
  return svg`<g transform="translate(${width / 2 - mx} ${height / 2 - my})"
    >${below(scene)}<path class="mp-grid" .style=${scene.href ? LINES : ""} d=${grid(kind, [middle[0] - (half[0] ?? 0) - 1, middle[1] - (half[1] ?? 0) - 1], [middle[0] + (half[0] ?? 0) + 1, middle[1] + (half[1] ?? 0) + 1], size)} />${threats(scene)}${scene.aimed.length || scene.area ? nothing : reaches(scene, taken, words)}${ranges(scene, taken, words)}${
      scene.area ? svg`<path class="mp-edge" .style=${scene.href ? BARE : ""} d=${outline(kind, cellsOf(scene.area), size)} />` : nothing
    }${numbers(scene)}${
      Array.isArray(here) ? svg`<path class=${view.past ? "mp-then" : "mp-here"} .style=${scene.href ? BARE : ""} d=${around(kind, here, size - 3 / size)} />` : nothing
    }${(scene.group ?? []).map((id) => {
      const at = view.tokens[id]?.at;
      return Array.isArray(at) ? svg`<path class="mp-then mp-taken" d=${around(kind, at, size - 3 / size)} />` : nothing;
    })}${[goal, ...(view.marked ?? [])].map((at) => (at ? svg`<path class="mp-goal" d=${around(kind, /** @type {Spot} */ (at), size)} />` : nothing))}${later(scene)}${halted(scene)}${ways(scene)}${(scene.stops ?? []).map((at) => {
      const [x, y] = placeOf(sight, at);
      return svg`<circle class="mp-dot mp-stop" cx=${x} cy=${y} r="7" />`;
    })}${groups.map((group) => group.map((_, at) => person(scene, group, at)))}${strikes(scene)}${aims(scene)}${ruled ? ruler(sight, ruled) : nothing}${
      goal ? pale(scene, mover, placeOf(sight, goal)) : nothing
    }${(scene.along ?? []).map(([id, at]) => pale(scene, view.tokens[id], placeOf(sight, at)))}${words}${names.map(({ words, x, y, from, isNow }) => svg`<text class="mp-name ${isNow ? "is-now" : ""}" x=${x} y=${y} text-anchor=${["start", "middle", "end"][from * 2]}>${words}</text>`)}</g>`;
};

/** How a place is said. @param {unknown} place */
export const said = (place) => (Array.isArray(place) ? `(${place.join(", ")})`.replaceAll("-", "−") : tr(String(place)));
