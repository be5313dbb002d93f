/** The pictures around a ladder that only some systems have: zones, the steps of a round, what takes time, hexes. */
import { html, nothing, svg } from "lit-html";

import { icon, side } from "../shared/marks.js";
import { items, rich } from "../shared/rich.js";

/** @import { Cells, Flow, Hex, Hexes, Side, Strip, Ticks, Zones } from "../shared/types.js" */

/**
 * @param {Zones} strip
 * @param {Side[]} sides
 */
const zones = (strip, sides) =>
  html`<ol class="ck-zones" role="list" aria-label=${strip.label}>
    ${strip.zones.map(
      (zone) =>
        html`<li class="ck-zone ${zone.here ? "is-here" : ""}">
          <h5>${zone.title} <span>${zone.note}</span></h5>
          ${zone.who.map(
            ([of, name, bold, at]) =>
              html`<p>${side(sides[of]?.mark)}<span>${bold ? html`<b>${name}</b>` : name}</span><small class="ck-quiet">${at}</small></p>`,
          )}
        </li>`,
    )}
  </ol>`;

/** @param {Flow} strip */
const flow = (strip) =>
  html`<ol class="ck-flow" role="list" aria-label=${strip.label ?? "Round sequence"}>
    ${strip.steps.map(
      (step) =>
        html`<li class="ck-step ${step.state && `is-${step.state}`}" aria-current=${step.state === "now" ? "step" : nothing}>
          <h5>
            <span class="n">${step.number}${step.state === "done" ? icon("check") : nothing}</span>${step.title}${
              step.state === "done" ? html`<span class="ck-sr">, done</span>` : nothing
            }
          </h5>
          ${step.lines.map((line) => html`<p>${rich(line)}</p>`)}
        </li>`,
    )}
  </ol>`;

/**
 * @param {Ticks} strip
 * @param {Side[]} sides
 */
const ticks = (strip, sides) => {
  const title = strip.title ?? "Segment";
  const numbers = Array.from({ length: strip.of ?? 10 }, (_, index) => index + 1);
  return html`<div class="ck-seg" .style="--n:${numbers.length}" role="group" aria-label=${strip.label ?? `${title} ${strip.now} now`}>
    <span class="l">${title}</span
    >${numbers.map((number) => html`<span class="h ${number === strip.now ? "on" : ""}">${number}</span>`)}
    ${strip.bars.map(
      (bar) =>
        html`<span class="l">${side(sides[bar.side]?.mark)}${bar.name}</span
          ><span class="b ${bar.done ? "is-done" : ""}" .style="grid-column:${bar.from + 1}/${bar.to + 2}">${bar.text}</span
          >${bar.to < numbers.length ? html`<span class="t" .style="grid-column:${bar.to + 2}/-1">${bar.after}</span>` : nothing}`,
    )}
  </div>`;
};

/** A hex's edge around its middle, and strokes that hatch it: drawn each time, since a pattern's id would clash. */
const HEX = "M18 0L9 15.6H-9L-18 0L-9-15.6H9Z";
const HATCH =
  "M11-12L-5 15.6M13.5-8L0 15.6M16-4L5 15.6M-11 12L5-15.6M-13.5 8L0-15.6M-16 4L-5-15.6M-9 15.6L9-15.6";

/** From the middle of the picture to that of a hex, across and down. @param {Hex} hex @returns {[number, number]} */
const middle = ({ at: [q, r] }) => [28.5 * q, 33 * (r + q / 2)];

/** @param {Hex} hex */
const wordsOf = ({ at: [q, r], threatened, who }) => {
  const far = Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
  return `; ${who.map(([, name]) => name).join(" and ")} ${far ? `${far} away` : "in the middle"}${threatened ? ", threatened" : ""}`;
};

/**
 * The hexes around who acts: the picture is for the eye, its name says the same in words.
 *
 * @param {Hexes} strip
 * @param {Side[]} sides
 */
const hexes = ({ label, title, hexes: all, lines }, sides) => {
  const middles = all.map(middle);
  const x = Math.max(...middles.map(([across]) => across)) + 20;
  const y = Math.max(...middles.map(([, down]) => down)) + 18;
  const taken = all.filter(({ who }) => who.length);
  const name = `${label}: ${all.filter(({ threatened }) => threatened).length} of ${all.length} threatened${taken.map(wordsOf).join("")}`;
  return html`<div class="ck-hexes"
    ><div role="img" aria-label=${name} .style="position:relative;flex:none;line-height:0;stroke:var(--ck-edge);width:${2 * x}px"
      ><svg aria-hidden="true" viewBox="${-x} ${-y} ${2 * x} ${2 * y}" width=${2 * x} height=${2 * y} fill="none">${all.map(
        ({ at, threatened }, index) => {
          const here = !at[0] && !at[1];
          return svg`<g transform="translate(${middles[index]})"><path d=${HEX} .style=${here ? "fill:var(--ck-now-wash);stroke:var(--ck-now);stroke-width:2" : nothing} />${threatened ? svg`<path d=${HATCH} opacity=".4" />` : nothing}</g>`;
        },
      )}</svg>${all.map(({ who }, index) => {
        const [across, down] = /** @type {[number, number]} */ (middles[index]);
        return html`<span .style="position:absolute;left:${across + x - 15}px;top:${down + y}px;width:30px;text-align:center;transform:translateY(-50%)">${who.map(([of]) => side(sides[of]?.mark))}</span>`;
      })}</div
    ><div><b>${title}</b>${lines.map((line) => html`<p class="ck-sub">${items(line)}</p>`)}</div></div
  >`;
};

/**
 * The strips that stand below the rungs.
 *
 * @param {Strip[] | undefined} strips
 * @param {Side[]} sides
 */
export const below = (strips, sides) => (strips ?? []).map((strip) => (strip.type === "hexes" ? hexes(strip, sides) : nothing));

/**
 * The strips that stand above the whole widget.
 *
 * @param {Strip[] | undefined} strips
 * @param {Side[]} sides
 */
export const above = (strips, sides) =>
  (strips ?? []).map((strip) =>
    strip.type === "zones"
      ? zones(strip, sides)
      : strip.type === "flow"
        ? flow(strip)
        : strip.type === "ticks"
          ? ticks(strip, sides)
          : nothing,
  );

/**
 * The cells of one rung, or of the heading above them.
 *
 * @param {string[]} texts
 * @param {number | undefined} now
 */
export const cells = (texts, now) =>
  html`<span class="ck-cells" aria-hidden="true"
    >${texts.map(
      (text, index) =>
        html`<span class="ck-cell ${index === now ? "on" : ""} ${text === "×" ? "owed" : ""}">${text}</span>`,
    )}</span
  >`;

/** @param {Cells} strip @param {[string, string][]} vitals what stands over those of a rung */
export const cellTitles = (strip, vitals) =>
  html`<div class="ck-ph-h" aria-hidden="true">
    <span>${strip.label}</span><span></span>${cells(strip.titles, strip.now)}<span class="ck-vital">${vitals.map(([id]) => html`<span>${id}</span>`)}</span>
  </div>`;
