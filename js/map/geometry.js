/** Where cells lie, in widths of a cell: nothing of the rules is known here, not even how far one cell is from another. */

/** @typedef {[number, number]} Spot a column and a row, or a point */

const ROW = Math.sqrt(3) / 2;
/** From one row of corners of a hex to the next. */
const CORNER = ROW / 3;

/**
 * @typedef {object} Kind
 * @property {(cell: Spot) => Spot} centre
 * @property {(spot: Spot) => Spot} at the cell in which a place lies
 * @property {Spot[]} corners around the centre, clockwise
 * @property {Spot[]} beside the cell beyond the side that begins at each corner
 * @property {(row: number) => number} lean how far a row stands to the right
 * @property {number} row from one row to the next
 */

/** @type {Kind} */
const SQUARES = {
  centre: ([x, y]) => [x, y],
  at: ([x, y]) => [Math.round(x), Math.round(y)],
  corners: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
  beside: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  lean: () => 0,
  row: 1,
};

/** @type {Kind} */
const HEXES = {
  centre: ([q, r]) => [q + r / 2, r * ROW],
  at: ([x, y]) => {
    const r = y / ROW;
    const q = x - r / 2;
    const [near, row, rest] = [Math.round(q), Math.round(r), Math.round(-q - r)];
    const [dq, dr, ds] = [Math.abs(near - q), Math.abs(row - r), Math.abs(rest + q + r)];
    if (dq > dr && dq > ds) return [-row - rest, row];
    return [near, dr > ds ? -near - rest : row];
  },
  corners: [[0, -2 * CORNER], [0.5, -CORNER], [0.5, CORNER], [0, 2 * CORNER], [-0.5, CORNER], [-0.5, -CORNER]],
  beside: [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]],
  lean: (row) => row / 2,
  row: ROW,
};

/** @param {string} board */
export const kindOf = (board) => (board === "hexes" ? HEXES : SQUARES);

/** The cells of runs. @param {[number, number, number][]} runs @returns {Spot[]} */
export const cellsOf = (runs) => runs.flatMap(([row, from, to]) => Array.from({ length: to - from + 1 }, (_, at) => /** @type {Spot} */ ([from + at, row])));

/** Whether a cell is in one of the runs. @param {[number, number, number][]} runs @param {Spot} cell */
export const isIn = (runs, [x, y]) => runs.some(([row, from, to]) => row === y && from <= x && x <= to);

/** Cells with those among `others` that lie within them. @param {Kind} kind @param {Spot[]} cells @param {Spot[]} others */
export const filled = ({ beside }, cells, others) => {
  const inside = new Set(cells.map(String));
  let within = others.filter((spot) => !inside.has(String(spot)));
  for (let last = -1; last !== within.length; ) {
    last = within.length;
    const all = new Set([...inside, ...within.map(String)]);
    within = within.filter(([x, y]) => beside.every(([dx, dy]) => all.has(String([x + dx, y + dy]))));
  }
  return [...cells, ...within];
};

/** @param {Spot} point @param {number} size */
const dot = ([x, y], size) => `${Math.round(x * size * 10) / 10} ${Math.round(y * size * 10) / 10}`;

/** The path around one cell. @param {Kind} kind @param {Spot} cell @param {number} size */
export const around = ({ centre, corners }, cell, size) => {
  const [x, y] = centre(cell);
  return ["M", corners.map(([dx, dy]) => dot([x + dx, y + dy], size)).join("L"), "z"].join("");
};

/** The path around all cells of a region, what it leaves open inside as well. @param {Kind} kind @param {Spot[]} cells @param {number} size */
export function outline({ centre, corners, beside }, cells, size) {
  const inside = new Set(cells.map(String));
  /** The sides of the region, by the corner each begins at. @type {Map<string, string[]>} */
  const sides = new Map();
  for (const cell of cells) {
    const [x, y] = centre(cell);
    corners.forEach(([dx, dy], side) => {
      const [bx, by] = /** @type {Spot} */ (beside[side]);
      if (inside.has(String([cell[0] + bx, cell[1] + by]))) return;
      const [ex, ey] = /** @type {Spot} */ (corners[(side + 1) % corners.length]);
      const from = dot([x + dx, y + dy], size);
      sides.set(from, [...(sides.get(from) ?? []), dot([x + ex, y + ey], size)]);
    });
  }
  let path = "";
  for (const [start, ends] of sides) {
    while (ends.length) {
      path += `M${start}`;
      for (let next = ends.pop(); next !== undefined && next !== start; next = sides.get(next)?.pop()) path += `L${next}`;
      path += "z";
    }
  }
  return path;
}

/**
 * The grid between two points, as one path: of each cell the sides that its neighbours don't draw.
 *
 * @param {Kind} kind @param {Spot} from @param {Spot} to @param {number} size
 */
export function grid(kind, [left, top], [right, bottom], size) {
  const { corners, row, lean } = kind;
  const half = corners.slice(0, corners.length / 2 + 1);
  let path = "";
  for (let y = Math.floor(top / row); y <= Math.ceil(bottom / row); y += 1) {
    for (let x = Math.floor(left - lean(y)); x <= Math.ceil(right - lean(y)); x += 1) {
      const [cx, cy] = kind.centre([x, y]);
      path += `M${half.map(([dx, dy]) => dot([cx + dx, cy + dy], size)).join("L")}`;
    }
  }
  return path;
}
