/** A picture of how a fight ended, to send to friends: drawn here, from what players were told. */
import { nothing, render, svg } from "lit-html";

import { element } from "../shared/element.js";
import { shapeOf } from "../shared/marks.js";
import { html } from "../shared/tongue.js";

/** @import { Ended } from "../shared/types.js" */

const [WIDE, TALL, EDGE] = [1200, 630, 72];
const [PAPER, INK, QUIET, MARK] = ["#111214", "#e9eaec", "#a5a8ad", "#ff9d57"];
const SIDES = ["#82b5e4", "#e297b8", "#abc784", "#d0b981"];

/** What a letter takes on average, of its height. */
const LETTER = 0.64;

/** How large words may be written on one line. @param {string} words @param {number} most @param {number} [room] */
const sized = (words, most, room = WIDE - 2 * EDGE) => Math.min(most, room / (LETTER * words.length));

/** Where what is told of the fight ends, and the picture of how the sides fared begins. */
const MIDDLE = 660;

/** How the sides fared, beside what is told; each is named, lines that would hide each other lie side by side. @param {Ended} told */
const course = ({ fared: sides, caption }) => {
  const most = Math.max(1, ...sides.flatMap(({ points }) => points));
  const y = (/** @type {number} */ left) => 538 - (90 * left) / most;
  const drawn = sides.map(({ side, name, points }) => ({ name, points, colour: SIDES[side % 4], last: points.at(-1) ?? 0 })).sort((one, other) => other.last - one.last);
  let above = 0;
  return [
    svg`<text x=${MIDDLE} y="412" font-size="18" fill=${QUIET}>${caption}</text>`,
    drawn.map(({ name, points, colour, last }, index) => {
      above = Math.max(above + 30, y(last) + 9);
      const [words, line] = [`${name}: ${last}`, points.map((left, at) => [MIDDLE + (240 * at) / (points.length - 1), y(left) + 6 * index]).join(" ")];
      return svg`<polyline points=${line} stroke=${colour} stroke-width="5" fill="none" /><text x=${MIDDLE + 256} y=${above} font-size=${sized(words, 26, 212)} font-weight="700" fill=${colour}>${words}</text>`;
    }),
  ];
};

const LOCAL = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)|\.(local|localhost|lan|home|internal)$|^[^.]+$/;

/** Where a table is that anybody can open, for friends who are sent the picture; nothing of a page on one's own machine. @param {{protocol: string, hostname: string, host: string, pathname: string}} page */
export const addressOf = ({ protocol, hostname, host, pathname }) =>
  protocol.startsWith("http") && !LOCAL.test(hostname) ? `${host}${pathname.replace(/\/?(index\.html)?$/, "")}` : "";

/** @param {Ended} told */
const drawn = (told) => {
  const { title, system, lead, scene, faces, facts, fared } = told;
  const isDrawn = fared[0]?.points[1] !== undefined;
  // A notebook's address is nobody else's business.
  const [address, whose] = [document.querySelector("[data-ck-page]") ? addressOf(location) : "", 17 * system.length];
  // Each fact on lines of its own; a name's spaces are none at which a line may end.
  const fits = isDrawn ? 35 : 66;
  const wordOf = (/** @type {any} */ part) => part.strong ?? (part.side == null ? part : "");
  const said = facts.flatMap(({ title: what, text }) =>
    [what, ": ", ...text.map(wordOf)].join("").replace(/ \u00a0/g, " ").match(RegExp(`\\S.{0,${fits}}(?= |$)|\\S{${fits}}`, "g")) ?? []);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width=${WIDE} height=${TALL} viewBox="0 0 ${WIDE} ${TALL}" font-family="system-ui, sans-serif" fill=${INK}>
    <rect width=${WIDE} height=${TALL} fill=${PAPER} /><rect width=${WIDE} height="10" fill=${MARK} />${faces.map(({ side, initials, portrait }, at) =>
      svg`<g transform="translate(${EDGE + at * 124} 72) scale(3.6)"><path d=${shapeOf(side)} fill="none" stroke=${SIDES[side % 4]} stroke-width="1.6" /><text x="14" y="18.5" font-size="11" font-weight="600" text-anchor="middle">${portrait || initials}</text></g>`,
    )}
    <text x=${EDGE} y="306" font-weight="700" font-size=${sized(title, 92)}>${title}</text>
    <text x=${EDGE} y="364" font-size="30" fill=${QUIET}>${[scene, lead].filter(Boolean).join(" · ")}</text>${isDrawn ? course(told) : nothing}${said.slice(0, 5).map((each, at) => svg`<text x=${EDGE} y=${420 + at * 32} font-size="24">${each}</text>`)}
    <text x=${EDGE} y=${TALL - 36} font-size="26" fill=${QUIET}>${system}</text><text x=${WIDE - EDGE} y=${TALL - 36} font-size=${address ? sized("combatkit ".concat(address), 26, WIDE - 2 * EDGE - whose - 24) : 26} font-weight="700" text-anchor="end">${["combatkit", address && svg`<tspan font-weight="400" dx="10">${address}</tspan>`]}</text>
  </svg>`;
};

/** Draws the picture, and gives it to the browser as a file. @param {Ended} told */
export async function savePicture(told) {
  const place = element("div");
  render(drawn(told), place);
  const [drawing, picture, canvas] = [place.querySelector("svg") ?? nothing, new Image(), element("canvas")];
  picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(/** @type {Node} */ (drawing)))}`;
  await picture.decode();
  Object.assign(canvas, { width: WIDE, height: TALL }).getContext("2d")?.drawImage(picture, 0, 0);
  const name = [told.scene, told.title].filter(Boolean).join(" ").replace(/[^\p{L}\p{N}]+/gu, "-");
  element("a", { href: canvas.toDataURL("image/png"), download: `${name}.png` }).click();
}
