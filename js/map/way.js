/** What is chosen on the map as it stands on the desk of a tracker: by which action, on which way, and what sends it. */
import { nothing } from "lit-html";

import { icon, token } from "../shared/marks.js";
import { once } from "../shared/press.js";
import { rich } from "../shared/rich.js";
import { html } from "../shared/tongue.js";
import { said } from "./draw.js";

/** @import { Spot } from "./geometry.js" */
/** @import { MapAction, MapData, MapToken, MapWay, MapWays } from "../shared/types.js" */

/** How far a way leads, without the action that leads there. @param {MapWay | undefined} way @param {string} title */
export const farOf = (way, title) => way?.says.replace(`${title}, `, "").replace(title, "") ?? "";

/** @param {MapWays | undefined} answer */
export const titleOf = (answer) => answer?.actions.find(({ id }) => id === answer.action)?.title ?? "";

/**
 * @param {MapData} view @param {MapToken} mover
 * @param {{to: Spot | string, answer?: MapWays, way?: MapWay, refused: string}} chosen
 * @param {{take: (action: string) => void, turn: (way: MapWay) => void, letGo: () => void, go: () => void}} can
 */
export const wayForm = (view, mover, { to, answer, way, refused }, { take, turn, letGo, go }) => {
  /** @param {MapAction} action */
  const act = ({ id, title, cost, no }) =>
    html`<button type="button" class="ck-pick" aria-pressed=${id === answer?.action} aria-disabled=${no ? "true" : nothing} @click=${() => no || take(id)}>${title} <small>${cost}</small></button>`;
  /** @param {MapWay} each */
  const card = (each) => {
    const who = each.asks.flatMap(([name]) => Object.values(view.tokens).filter((other) => other.name === name));
    const told = each.text || each.small;
    // Into a zone there is one way, of which there is nothing to say.
    if (!told && !farOf(each, titleOf(answer))) return nothing;
    return html`<button type="button" class="mp-way" aria-pressed=${each === way} @click=${() => turn(each)}
      ><span><b>${each.title}</b> ${farOf(each, titleOf(answer))}</span>${told ? html`<small>${each.asks.length ? icon("bang") : nothing}${told}</small>` : nothing
      }<span class="mp-who">${[...new Set(who)].map((other) => token(view.sides[other.side]?.mark, other.initials, other.portrait))}</span></button>`;
  };
  return html`<div class="mp-form" role="group" aria-label="Move">
    <h5>Move to ${said(to)}</h5>
    <div class="ck-row">${answer?.actions.map(act)}</div>
    ${answer?.ways.map(card)}${refused ? html`<p class="ck-why">${refused}</p>` : answer?.why.length ? html`<p class="ck-why">${rich(answer.why)}</p>` : nothing}
    <div class="mp-foot"><button type="button" class="ck-btn" @click=${letGo}>Not now<kbd class="ck-k" aria-hidden="true">Esc</kbd></button
      >${way ? html`<button type="button" class="ck-btn is-main" @click=${once(go)}>Move ${mover.name}<kbd class="ck-k" aria-hidden="true">Enter</kbd></button>` : nothing}</div>
  </div>`;
};
