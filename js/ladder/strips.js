/** The pictures above a ladder that only some systems have: zones, the steps of a round, what takes time. */
import { html, nothing } from "lit-html";

import { icon, side } from "../shared/marks.js";
import { rich } from "../shared/rich.js";

/** @import { Cells, Flow, Side, Strip, Ticks, Zones } from "../shared/types.js" */

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
            ([of, name, bold]) =>
              html`<p>${side(sides[of]?.mark)}<span>${bold ? html`<b>${name}</b>` : name}</span></p>`,
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
  return html`<div class="ck-seg" style="--n:${numbers.length}" role="group" aria-label=${strip.label ?? `${title} ${strip.now} now`}>
    <span class="l">${title}</span
    >${numbers.map((number) => html`<span class="h ${number === strip.now ? "on" : ""}">${number}</span>`)}
    ${strip.bars.map(
      (bar) =>
        html`<span class="l">${side(sides[bar.side]?.mark)}${bar.name}</span
          ><span class="b ${bar.done ? "is-done" : ""}" style="grid-column:${bar.from + 1}/${bar.to + 2}">${bar.text}</span
          >${bar.to < numbers.length ? html`<span class="t" style="grid-column:${bar.to + 2}/-1">${bar.after}</span>` : nothing}`,
    )}
  </div>`;
};

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

/** @param {Cells} strip */
export const cellTitles = (strip) =>
  html`<div class="ck-ph-h" aria-hidden="true">
    <span>${strip.label}</span><span></span>${cells(strip.titles, strip.now)}<span></span>
  </div>`;
