/** A QR code as a picture: dark on white in both themes, with its quiet zone. */
import { svg } from "lit-html";

import { html } from "./tongue.js";

/** Blank squares around a code, so that a camera finds it. */
const QUIET = 4;

/** @param {string[]} rows of noughts and ones @param {string} name */
export const qrOf = (rows, name) => {
  const size = rows.length + 2 * QUIET;
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`),
  );
  return html`<svg class="ck-qr" viewBox="0 0 ${size} ${size}" role="img" aria-label=${name} shape-rendering="crispEdges">
    ${svg`<path d=${runs.join("")} />`}
  </svg>`;
};
