/** The end of a fight: who won, what is worth telling. */
import { nothing, svg } from "lit-html";

import { shapeOf, token } from "../shared/marks.js";
import { middle } from "../shared/name.js";
import { rich } from "../shared/rich.js";
import { html, tr } from "../shared/tongue.js";

/** @import { End, Fared } from "../shared/types.js" */

/** How wide and tall the picture of how the sides fared is, and what its words need. */
const [WIDE, TALL, BESIDE, BELOW] = [398, 112, 86, 20];

/** How the sides fared, round by round. @param {Fared[]} sides */
const fared = (sides) => {
  const most = Math.max(1, ...sides.flatMap(({ points }) => points));
  const steps = Math.max(1, (sides[0]?.points.length ?? 1) - 1);
  const x = (/** @type {number} */ at) => 8 + ((WIDE - BESIDE - 8) * at) / steps;
  // As many rounds are numbered as have room beside "start".
  const every = Math.ceil((48 * steps) / (WIDE - BESIDE - 8));
  const y = (/** @type {number} */ left) => 10 + (TALL - BELOW - 10) * (1 - left / most);
  // Words of lines that end beside each other stand apart.
  const ends = sides
    .map(({ points }, index) => ({ index, at: y(points.at(-1) ?? 0) }))
    .sort((one, other) => one.at - other.at)
    .map((each, index, all) => {
      each.at = Math.max(each.at, (all[index - 1]?.at ?? -99) + 14);
      return each;
    });
  const said = sides.map(({ name, points }) => `${name} ${points.join(", ")}`).join("; ");
  return html`<svg viewBox="0 0 ${WIDE} ${TALL}" role="img" aria-label="Hit points by round: ${said}">${Array.from({ length: steps + 1 }, (_, at) =>
    svg`<line x1=${x(at)} y1="6" x2=${x(at)} y2=${TALL - BELOW} />${at % every ? nothing : svg`<text x=${at ? x(at) : 0} y=${TALL - 4} text-anchor=${at ? "middle" : "start"}>${at || tr("start")}</text>`}`,
  )}${sides.map(({ side, points }) =>
    svg`<g class="ck-${"abcd"[side % 4]}"><polyline points=${points.map((left, at) => `${x(at)},${y(left)}`).join(" ")} /><path class="dot" transform="translate(${x(steps) - 5.6} ${y(points.at(-1) ?? 0) - 5.6}) scale(0.4)" d=${shapeOf(side)} /></g>`,
  )}${ends.map(({ index, at }) => {
    const { name, points } = /** @type {Fared} */ (sides[index]);
    return svg`<text class="n" x=${x(steps) + 12} y=${at + 4}>${points.at(-1)}</text><text x=${x(steps) + 38} y=${at + 4}>${name}</text>`;
  })}</svg>`;
};

/** The card, over all else where something can be done below it. @param {End} card @param {unknown} [foot] */
export const won = ({ title, lead, faces, facts, dealt, total, fared: sides }, foot = nothing) => {
  const top = dealt[0]?.amount ?? 1;
  const isTold = !dealt.length && foot === nothing;
  const went = sides.length && (sides[0]?.points.length ?? 0) > 1 ? html`<div class="ck-went"><h4>What each side had left, from start to end</h4>${fared(sides)}</div>` : nothing;
  // Beside a short list, or none, there is room for it.
  const isBeside = !isTold && dealt.length < 5;
  return html`<div class="ck-won ${foot === nothing ? "" : "ck-over"} ${isTold ? "is-told" : ""}">
    <div class="l"><div class="ck-faces">${faces.map(({ side, initials, portrait }) => token(side, initials, portrait))}</div><h3>${title}</h3><p class="ck-quiet">${lead}</p>
      <dl class="ck-facts">${facts.map(({ title: what, text }) => html`<dt>${what}</dt><dd>${rich(text)}</dd>`)}</dl>
      ${isBeside ? nothing : went}</div>
    <div class="r" ?hidden=${isTold}>${
      dealt.length
        ? html`<div class="ck-cap"><h4>Damage dealt</h4><span class="ck-end">${total} in all</span></div>
      <ol class="ck-dealt" role="list" aria-label="Damage dealt">${dealt.map(({ who, name, amount }) =>
        html`<li>${token(who.side, who.initials, who.portrait)}${middle(name)}<i class="ck-${"abcd"[who.side % 4]}" .style="--v:${amount / top}"></i><b>${amount}</b></li>`,
      )}</ol>`
        : nothing
    }${isBeside ? went : nothing}${foot}</div>
  </div>`;
};
