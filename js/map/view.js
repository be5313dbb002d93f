import { nothing, render } from "lit-html";

import { once } from "../shared/press.js";
import { isWord } from "../shared/rich.js";
import { voice } from "../shared/speech.js";
import { html } from "../shared/tongue.js";
import { drawn, placeOf, said } from "./draw.js";
import { kindOf } from "./geometry.js";
import { boxesOf, drawn as zonesDrawn } from "./zones.js";

/** @import { Sight } from "./draw.js" */
/** @import { Spot } from "./geometry.js" */
/** @import { Port } from "../shared/port.js" */
/** @import { MapData, MapWays, Parts } from "../shared/types.js" */

/** How wide cells are at most when a map is opened, and at least. */
const WIDE = { most: 40, least: 14 };
/** So many cells are seen around those who stand there. */
const MARGIN = 2.5;

/** Why, in words alone. @param {Parts} parts */
const words = (parts) => parts.filter(isWord).join("").trim();

/**
 * Where somebody is about to go: the place, by which action and on which way once that is known.
 *
 * @typedef {{to: Spot | string, action?: string, way: number, answer?: MapWays}} Chosen
 */

/**
 * Shows who stands where, how far whoever acts gets, and what it takes. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{part: boolean, signal: AbortSignal}} place
 * @returns {(view: MapData) => void}
 */
export function createMap(root, port, { part, signal }) {
  const say = voice(root, part);
  const prefix = `ck${Math.random().toString(36).slice(2)}`;
  /** @type {MapData} */
  let view;
  /** How large the ground is shown, in px. */
  let [width, height] = [0, 0];
  /** What is seen of it; chosen once, then kept. @type {{size: number, middle: Spot} | undefined} */
  let seen;
  /** @type {Chosen | undefined} */
  let chosen;
  /** What was refused last, until something else is done. */
  let refused = "";
  /** Whether a way is asked for; the newest place comes next. */
  let isAsking = false;

  const mover = () => view.tokens[view.whose ?? ""];
  const canGo = () => Boolean(mover()) && !view.players && !view.past;

  /** What is seen at first: everybody, as large as there is room. @returns {{size: number, middle: Spot}} */
  const fitted = () => {
    const kind = kindOf(view.board);
    const spots = Object.values(view.tokens).flatMap(({ at }) => (Array.isArray(at) ? [kind.centre(at)] : []));
    const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)];
    const [left, right, top, bottom] = spots.length ? [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] : [0, 0, 0, 0];
    const size = Math.min(WIDE.most, width / (right - left + 2 * MARGIN), height / (bottom - top + 2 * MARGIN));
    return { size: Math.max(WIDE.least, size), middle: [(left + right) / 2, (top + bottom) / 2] };
  };

  /** @returns {Sight} */
  const sight = () => {
    seen ??= fitted();
    return { kind: kindOf(view.board), ...seen, width, height };
  };

  /** Asks how one gets to what is chosen: one question at a time, the newest next. */
  const ask = async () => {
    if (isAsking || !chosen) return;
    isAsking = true;
    const { to, action } = chosen;
    try {
      const answer = /** @type {MapWays} */ (await port.ask({ kind: "way", name: mover()?.name, to, ...(action && { action }) }));
      if (chosen && chosen.to === to && chosen.action === action) {
        chosen = { ...chosen, answer };
        const [way] = answer.ways;
        say(way ? [`${said(to)}.`, `${way.says}.`, way.text || (way.small && `${way.small}.`)].filter(Boolean).join(" ") : words(answer.why));
      }
    } catch (refusal) {
      if (chosen?.to === to) refuse(/** @type {{reason: string}} */ (refusal).reason);
    }
    isAsking = false;
    if (signal.aborted) return;
    draw();
    if (chosen && (chosen.to !== to || chosen.action !== action)) ask();
  };

  /** @param {string} reason */
  const refuse = (reason) => {
    refused = reason;
    say(reason);
    draw();
  };

  /** Chooses a place; the same again goes there. @param {Spot | string} to */
  const choose = (to) => {
    if (!canGo()) return;
    if (String(chosen?.to) === String(to)) return go();
    refused = "";
    chosen = { to, way: 0 };
    draw();
    ask();
  };

  const letGo = () => {
    chosen = undefined;
    refused = "";
    draw();
  };

  /** Goes where it is chosen, on the way that is chosen. */
  const go = () => {
    const way = chosen?.answer?.ways[chosen.way];
    const { name } = mover() ?? {};
    if (!way || !chosen?.answer) return;
    const { action } = chosen.answer;
    chosen = undefined;
    port.send({ kind: "do", name, action, params: { to: way.to } }, ({ reason }) => refuse(reason));
    draw();
  };

  /** The cell or zone at a point of the ground, in px. @param {MouseEvent} event @returns {Spot | string | undefined} */
  const at = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (view.board === "zones") {
      const index = boxesOf(view, width, height).findIndex((zone) => x >= zone.x && x <= zone.x + zone.wide && y >= zone.y && y <= zone.y + zone.high);
      return view.zones[index]?.name;
    }
    const { kind, size, middle } = sight();
    return kind.at([middle[0] + (x - width / 2) / size, middle[1] + (y - height / 2) / size]);
  };

  /** @param {MouseEvent} event */
  const tap = (event) => {
    const place = at(event);
    if (place !== undefined) choose(place);
  };

  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key === "Enter" && chosen) go();
    else if (event.key === "Escape" && chosen) letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** What a place is called that is chosen, where it is: the action, the steps, who may attack. */
  const label = () => {
    const way = chosen?.answer?.ways[chosen.way];
    if (!chosen?.answer || view.board === "zones" || !Array.isArray(chosen.to)) return nothing;
    const [x, y] = placeOf(sight(), chosen.to);
    const { middle, size } = sight();
    const [left, top] = [width / 2 - middle[0] * size + x, height / 2 - middle[1] * size + y - size / 2 - 32];
    // It begins or ends near the place, whichever has more room beside it.
    const side = left < width / 2 ? `inset-inline-start:${Math.max(4, left - size)}px` : `inset-inline-end:${Math.max(4, width - left - size)}px`;
    const told = way ? html`<b>${way.says}</b>${way.small ? html` · ${way.small}` : nothing}` : words(chosen.answer.why);
    return html`<p class="mp-tag" aria-hidden="true" .style=${`${side};inset-block-start:${Math.max(4, top)}px`}>${told}</p>`;
  };

  const row = () => {
    const answer = chosen?.answer;
    const way = answer?.ways[chosen?.way ?? 0];
    const title = answer?.actions.find(({ id }) => id === answer.action)?.title ?? "";
    const others = answer?.ways.filter((each) => each !== way) ?? [];
    const why = refused || (answer && words(answer.why));
    if (!chosen) return html`<p class="mp-row"><span class="mp-says">${refused || hint()}</span></p>`;
    return html`<div class="mp-row"
      ><p class="mp-says"><b>${way && answer ? html`${title} to ${said(chosen.to)}` : said(chosen.to)}</b> ${way ? [way.says.replace(`${title}, `, ""), way.text, why].filter(Boolean).join(" · ") : why}</p
      >${others.map((other) => html`<button type="button" class="ck-btn" @click=${() => turn(other)}>${other.title} <small>${other.small}</small></button>`)}<button type="button" class="ck-btn" @click=${letGo}>Not now</button
      >${way ? html`<button type="button" class="ck-btn is-main" @click=${once(go)}>Move ${mover()?.name}</button>` : nothing}</div>`;
  };

  /** @param {MapWays["ways"][number]} way */
  const turn = (way) => {
    if (!chosen?.answer) return;
    chosen = { ...chosen, way: chosen.answer.ways.indexOf(way) };
    draw();
  };

  const hint = () => (canGo() ? "Tap where to go." : "");

  const draw = () => {
    const goal = chosen?.to;
    const ways = chosen?.answer?.ways ?? [];
    const first = ways[chosen?.way ?? 0];
    const isMap = view.board !== "" && width > 0;
    const ground = !isMap
      ? nothing
      : view.board === "zones"
        ? zonesDrawn(view, width, height, typeof goal === "string" ? goal : undefined)
        : drawn({ view, sight: sight(), prefix, goal: Array.isArray(goal) ? goal : undefined, ways: first ? [first, ...ways.filter((way) => way !== first)] : [] });
    render(
      html`<section class="ck-map" aria-label="Map"
        ><header class="ck-cap"><h4>Map</h4><span>${view.caption}</span></header
        ><div class="mp-ground"><svg class="mp" role="img" aria-label="Map" tabindex="0" width=${width} height=${height} @click=${tap} @keydown=${key}>${ground}</svg>${label()}</div
        >${row()}</section>`,
      root,
    );
    watch();
  };

  const sizes = new ResizeObserver(([entry]) => {
    if (!entry) return;
    const { width: wide, height: high } = entry.contentRect;
    if (wide === width && high === height) return;
    [width, height] = [wide, high];
    draw();
  });
  signal.addEventListener("abort", () => sizes.disconnect());
  /** @type {Element | null} */
  let watched = null;
  const watch = () => {
    const ground = root.querySelector(".mp-ground");
    if (ground && ground !== watched) sizes.observe((watched = ground));
  };

  return (next) => {
    // What was chosen was chosen for somebody, where they stood.
    if (view && (next.whose !== view.whose || next.tokens !== view.tokens)) chosen = undefined;
    if (view && next.board !== view.board) seen = undefined;
    view = next;
    draw();
  };
}
