/** The line above the stage that only some systems have, and what a rung has of it: steps, phases, zones, segments. */
import { nothing } from "lit-html";

import { icon, side } from "../shared/marks.js";
import { html } from "../shared/tongue.js";

/** @import { Bar, Cells, Flow, Parts, Side, Step, Strip, Zones } from "../shared/types.js" */

/** Where a step stands: over, under way, to come. @param {boolean} isDone @param {boolean} isNow @param {unknown} inner */
const item = (isDone, isNow, inner) =>
  html`<li class=${isNow ? "is-now" : nothing} aria-current=${isNow ? "step" : nothing}>${inner}${isDone ? [icon("check"), html`<span class="ck-sr">, done</span>`] : nothing}</li>`;

/** How a step is told: what is under way in words, what is over by its dice. @param {Step["stands"]} stands @param {Parts[]} lines */
const short = (stands, lines) => {
  const dice = lines.flatMap((line) => line.flatMap((part) => (typeof part === "object" && part.die !== undefined ? [part.die] : [])));
  if (dice.length) return html`<b>${dice.join(" : ")}</b>`;
  return stands === "now" && lines.length ? html`<small>${lines.map((line, index) => [index ? ", " : nothing, line.filter((part) => typeof part === "string")])}</small>` : nothing;
};

/** @param {Flow} strip @param {Side[]} _ */
const flow = ({ label, steps }, _) =>
  html`<ol class="ck-strip" role="list" tabindex="0" aria-label=${label ?? "Round sequence"}>${steps.map(({ title, stands, lines }) =>
    item(
      stands === "done",
      stands === "now",
      html`<span>${title}</span>${short(stands, lines)}`,
    ),
  )}</ol>`;

/** @param {Cells} strip */
const phases = ({ titles, now, note, why }) =>
  html`<ol class="ck-strip is-even" role="list" tabindex="0" aria-label="Phases">${titles.map((title, index) => item(index < now, index === now, html`<span>${title}</span>${index === now ? html` <small title=${why ?? nothing}>${note}</small>${why ? html`<span class="ck-sr">. ${why}</span>` : nothing}` : nothing}`))}</ol>`;

/** @param {Zones} strip @param {Side[]} sides */
const zones = ({ label, zones: bands }, sides) =>
  html`<ol class="ck-strip is-zones" role="list" tabindex="0" aria-label=${label}>${bands.map(({ title, note, here, who }) => {
    const places = [...new Set(who.map(([, , , at]) => at))];
    const counts = [...new Set(who.map(([of]) => of))].map((of) => ({ of, names: who.filter(([each]) => each === of).map(([, name]) => name) }));
    return html`<li class=${here ? "is-now" : nothing} title="${note}${who.length ? `: ${who.map(([, name]) => name).join(", ")}` : ""}"><b>${title}</b>${
      who.length ? html`<small>${places.length === 1 ? places[0] : nothing}</small>` : html`<small>nobody</small>`
    }${counts.map(({ of, names }) => html`<span>${side(sides[of]?.mark)}<span aria-hidden="true">${names.length}</span><span class="ck-sr">${names.join(", ")}</span></span>`)}</li>`;
  })}</ol>`;

/**
 * The line above the stage.
 *
 * @param {Strip[] | undefined} strips
 * @param {Side[]} sides
 */
export const strip = (strips, sides) =>
  (strips ?? []).map((each) => (each.type === "zones" ? zones(each, sides) : each.type === "flow" ? flow(each, sides) : each.type === "cells" ? phases(each) : nothing));

/** How many phases a turn has; what follows them is not acted in. */
const PHASES = 4;

/** What was done in each phase of a turn. @param {string[]} texts @param {number} now */
export const cells = (texts, now) =>
  html`<span class="ck-cells" title="Phase by phase: A attack, M move, F full phase, R readied, × given up" aria-hidden="true">${texts.slice(0, PHASES).map((text, index) => html`<i class="${index === now ? "on" : ""} ${text === "×" ? "is-owed" : ""}">${text}</i>`)}</span>`;

/**
 * What somebody spends time on, segment by segment: done, now, still to come.
 *
 * @param {Bar} bar
 * @param {number | null | undefined} now
 * @param {number} [of]
 */
export const tens = ({ from, to, text, after }, now, of = 10) =>
  html`<span class="ck-tens" title="${text}, ${after}" aria-hidden="true">${Array.from({ length: of }, (_, index) => {
    const at = index + 1;
    return html`<i class=${at === now ? "h" : at < from || at > to ? "" : at < (now ?? 0) ? "d" : "o"}></i>`;
  })}</span>`;
