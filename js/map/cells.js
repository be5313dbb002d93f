/** The map by keys and by ear: a grid of the places that mean something, laid over the drawing. */
import { repeat } from "lit-html/directives/repeat.js";

import { html, tr } from "../shared/tongue.js";
import { said } from "./draw.js";
import { cellsOf, isIn } from "./geometry.js";

/** @import { Spot } from "./geometry.js" */
/** @import { MapData } from "../shared/types.js" */

/**
 * A place: where in the grid it stands, and what is to be said of it.
 *
 * @typedef {{to: Spot | string, row: number, column: number, words: string}} Cell
 * @typedef {{left: number, top: number, wide: number, high: number}} Box in px
 */

/** Where an arrow leads from a cell: along the row, and up or down it, to the right or with Shift to the left. @type {Record<string, Record<string, Spot>>} */
const STEPS = {
  squares: { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
  hexes: { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [1, -1], ArrowDown: [0, 1], ShiftArrowUp: [0, -1], ShiftArrowDown: [-1, 1] },
};

/** What keys do on a map, for the list of all keys. @param {string} board @returns {import("../more/shortcuts.js").Keys} */
export const keysOn = (board) => [
  "The map",
  [
    [["←", "→", "↑", "↓"], "From place to place"],
    ...(board === "hexes" ? /** @type {[string[], string][]} */ ([[["Shift+↑", "Shift+↓"], "Up or down to the left"]]) : []),
    [[",", "."], "To whoever stands before, or after"],
    [["Enter"], "Choose a place; once more to go there"],
    [["W"], "Another way there"],
    ...(board === "zones"
      ? []
      : /** @type {[string[], string][]} */ ([
          [["V"], "A stop on the way, or none"],
          [["O"], "All that is threatened, or as before"],
          [["+", "−", "0"], "Nearer, farther, show all"],
        ])),
    [["/"], "A way to what is typed: to (3, 4)"],
  ],
];

/** What is said of a place: where it is, who stands there or is going there, how one gets there and who threatens it. @param {MapData} view @param {Spot | string} to */
const wordsOf = (view, to) => {
  const key = String(to);
  const here = Object.values(view.tokens).filter(({ at }) => String(at) === key);
  const zone = view.zones.find(({ name }) => name === to);
  const holds = (/** @type {[number, number, number][] | undefined} */ cells) => Boolean(cells && Array.isArray(to) && isIn(cells, to));
  const reach = view.reach.find(({ cells, zones }) => zones?.includes(key) || holds(cells));
  const threats = view.threat.filter(({ cells }) => holds(cells));
  const left = view.halt?.left.map(String) ?? [];
  const going = left.includes(key) ? left : [];
  const name = view.tokens[view.halt?.who ?? ""]?.name;
  return [
    said(to),
    zone?.word,
    ...here.map(({ name, side, status }) => [name, view.sides[side]?.name, status === "out" && tr("out")].filter(Boolean).join(", ")),
    going.length ? tr(going.at(-1) === key ? `${name} is going here` : `On the way of ${name}`) : "",
    reach && tr(reach.title),
    ...threats.map(({ side }) => tr(`Threatened by ${view.sides[side]?.name}`)),
  ]
    .filter(Boolean)
    .join(". ");
};

/** The cells of a view and where the keys were: while somebody is dragged they are the same in each frame. @type {WeakMap<MapData, {key: string, cells: Cell[]}>} */
const known = new WeakMap();

/** The places to which somebody gets, that are threatened or where somebody stands, and the one where the keys are; without any, one to begin at. @param {MapData} view @param {Spot | string | undefined} cursor @returns {Cell[]} */
export function cellsIn(view, cursor) {
  const key = String(cursor);
  const last = known.get(view);
  if (last?.key === key) return last.cells;
  const cells = allIn(view, cursor);
  known.set(view, { key, cells });
  return cells;
}

/** @param {MapData} view @param {Spot | string | undefined} cursor @returns {Cell[]} */
function allIn(view, cursor) {
  if (view.board === "zones") return view.zones.map(({ name, at: [column, row] }) => ({ to: name, row, column, words: wordsOf(view, name) }));
  const spots = [
    ...[...view.reach, ...view.threat].flatMap(({ cells }) => cellsOf(cells ?? [])),
    ...[...Object.values(view.tokens).map(({ at }) => at), ...(view.halt?.left ?? [])].flatMap((at) => (Array.isArray(at) ? [at] : [])),
    ...(Array.isArray(cursor) ? [cursor] : []),
  ];
  if (!spots.length) spots.push([0, 0]);
  const all = [...new Map(spots.map((spot) => [String(spot), /** @type {Spot} */ (spot)])).values()];
  return all.sort(([a, b], [c, d]) => b - d || a - c).map((to) => ({ to, row: to[1], column: to[0], words: wordsOf(view, to) }));
}

/** Where a key leads from a place. @param {MapData} view @param {Spot | string} from @param {KeyboardEvent} event @returns {Spot | string | undefined} */
export function beyond(view, from, { key, shiftKey }) {
  const plain = STEPS.squares?.[key];
  if (view.board === "zones") {
    const [x, y] = view.zones.find(({ name }) => name === from)?.at ?? [0, 0];
    const [dx, dy] = plain ?? [0, 0];
    const ahead = view.zones.filter(({ at: [ox, oy] }) => (ox - x) * dx + (oy - y) * dy > 0);
    const far = (/** @type {{at: number[]}} */ { at: [ox = 0, oy = 0] }) => Math.abs(ox - x) + Math.abs(oy - y) + Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    return plain && ahead.sort((a, b) => far(a) - far(b))[0]?.name;
  }
  const steps = view.board === "hexes" ? STEPS.hexes : STEPS.squares;
  const step = steps?.[shiftKey ? `Shift${key}` : key] ?? steps?.[key];
  return step && Array.isArray(from) ? [from[0] + step[0], from[1] + step[1]] : undefined;
}

/**
 * The grid: one stop in the tab order, where the keys are.
 *
 * @param {Cell[]} cells @param {Cell | undefined} stop @param {string | undefined} chosen @param {(cell: Cell) => Box} boxOf @param {(event: KeyboardEvent) => void} key
 */
export function grid(cells, stop, chosen, boxOf, key) {
  const rows = [...new Set(cells.map(({ row }) => row))].sort((a, b) => a - b);
  const columns = cells.map(({ column }) => column);
  const [top, left] = [rows[0] ?? 0, Math.min(...columns)];
  const wide = columns.length ? Math.max(...columns) - left + 1 : 0;
  return html`<div class="mp-cells" role="grid" aria-label="Map" aria-rowcount=${rows.length ? (rows.at(-1) ?? 0) - top + 1 : 0} aria-colcount=${wide} @keydown=${key}
    >${repeat(
      rows,
      (row) => row,
      (row) => html`<div role="row" aria-rowindex=${row - top + 1}
        >${repeat(
          cells.filter((cell) => cell.row === row),
          ({ to }) => String(to),
          (cell) => {
            const box = boxOf(cell);
            return html`<div role="gridcell" class="mp-cell" data-cell=${String(cell.to)} aria-colindex=${cell.column - left + 1} aria-label=${cell.words} aria-selected=${String(cell.to) === chosen} tabindex=${cell === stop ? 0 : -1}
              .style=${`left:${box.left}px;top:${box.top}px;width:${box.wide}px;height:${box.high}px`}></div>`;
          },
        )}</div>`,
    )}</div>`;
}
