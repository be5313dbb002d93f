import { nothing, render } from "lit-html";

import { element, ownPrefix } from "../shared/element.js";
import { keepFocus } from "../shared/focus.js";
import { claim, isPlain, once } from "../shared/press.js";
import { isWord } from "../shared/rich.js";
import { voice } from "../shared/speech.js";
import { hear, listen, tell } from "../shared/tell.js";
import { html, tr } from "../shared/tongue.js";
import { createArea } from "./area.js";
import { beyond, cellsIn, grid, keysOn } from "./cells.js";
import { drawn, fitted, LEAST, placeOf, said } from "./draw.js";
import { kindOf } from "./geometry.js";
import { createLaying } from "./lay.js";
import { createPicture } from "./picture.js";
import { createRuler } from "./ruler.js";
import { farOf, titleOf, wayForm } from "./way.js";
import { boxesOf, drawn as zonesDrawn } from "./zones.js";

/** @import { Cell } from "./cells.js" */
/** @import { Sight } from "./draw.js" */
/** @import { Spot } from "./geometry.js" */
/** @import { Port } from "../shared/port.js" */
/** @import { MapData, MapWays, Parts } from "../shared/types.js" */

/** How wide cells may be made. */
const LARGEST = 96;
/** Where a tracker is no wider, it shows either the map or the actions. */
const NARROW = 720;
/** From here on, and where the window is so low, nothing stands in its place. */
const WIDE = 1200;
const LOW = "(max-height: 480px)";
/** How much nearer or farther one press goes. */
const NEARER = 1.25;
/** What a picture is laid by takes as many rows as it needs. */
const TALL = "grid-template-rows:var(--ck-cap) minmax(0,1fr) auto";
/** In a narrower caption there is no room for the ruler beside the switch. */
const RULED = 430;
/** So many milliseconds over a place make it a stop on the way. */
const STAYED = 300;
/** A pointer that has gone less far has tapped. */
const STILL = 5;

/** Why, in words alone. @param {Parts} parts */
const words = (parts) => parts.filter(isWord).join("").trim();

/**
 * Where somebody is about to go: the place, by which action and on which way once that is known.
 *
 * The way leads over `via`, and if it is `held`, on from there.
 *
 * @typedef {{to: Spot | string, via: (Spot | string)[], held?: boolean, action?: string, way: number, answer?: MapWays}} Chosen
 */

/** What is asked of a place. @param {Chosen | undefined} chosen */
const keyOf = (chosen) => chosen && JSON.stringify([chosen.to, chosen.via, chosen.action]);
/** As a sentence begins. @param {string} words */
const begun = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);
/** What is said of a way. @param {MapWays["ways"][number]} way */
const told = (way) => [`${way.says}.`, way.text || (way.small && `${begun(tr(way.small))}.`)];

/**
 * Shows who stands where, how far whoever acts gets, and what it takes. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{part: boolean, signal: AbortSignal, pane: {on: () => boolean, turn: (on: boolean) => void}}} place `pane` says whether a tracker
 *   shows it
 * @returns {(view: MapData) => void}
 */
export function createMap(root, port, { part, signal, pane }) {
  const say = voice(root, part);
  const prefix = ownPrefix();
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
  /** Who is about to be set down, by the GM's word. @type {string | undefined} */
  let picked;
  /** Who goes along with them. @type {string[]} */
  let fellows = [];
  /** Whose ground is looked at, who does not act. @type {string | undefined} */
  let looked;
  /** All that is threatened, as long as it is shown. @type {MapData["threat"] | undefined} */
  let everywhere;
  /** Where the keys are. @type {Spot | string | undefined} */
  let cursor;
  /** What a pointer holds: somebody, the ground, or the picture that is laid there. @type {{id: string | undefined, from: Spot, middle: Spot, below: Spot, over: Spot | string | undefined, start: Spot | string | undefined, via: Spot[], moved: boolean} | undefined} */
  let grip;
  /** What waits until a pointer has stayed where it is. @type {ReturnType<typeof setTimeout> | undefined} */
  let stays;
  /** Whether the click that comes ends a drag, and is no tap. */
  let dragged = false;
  /** At whom a form of the tracker around it is aimed. @type {string[]} */
  let aimed = [];
  /** What stands on the tracker's desk while a place is chosen. */
  const form = element("div");
  let isOnDesk = false;
  /** Whether something else stands there: where there is room for one of both, the map gives way. */
  let isAside = false;
  /** Whether the focus goes into it as soon as it is drawn. */
  let isEntering = false;
  /** Whether it is shown in the set-up, which has another place for it. */
  let isOpen = false;

  const hrefOf = createPicture(port.ask, signal, (why) => {
    refused = why && !view.players ? why : refused;
    draw();
  });
  const laying = createLaying(port, {
    view: () => view,
    middle: () => seen?.middle ?? [0, 0],
    redraw: () => draw(),
    say,
    find: (selector) => root.querySelector(selector),
  });
  const ruler = createRuler(port, { redraw: () => draw(), say, find: (selector) => root.querySelector(selector) });

  const area = createArea(port.ask, {
    view: () => view,
    aimed: () => aimed,
    take: (names) => tell(root, "ck-pick", { name: names }),
    start: () => walk(stopOf(cellsIn(view, cursor))?.to ?? [0, 0]),
    redraw: () => draw(),
    say,
  });

  const isOn = () => (view.setup ? isOpen : pane.on());
  const mover = () => view.tokens[view.whose ?? ""];
  const canGo = () => Boolean(mover()) && view.goes;
  /** Whether people can be set down by the GM's word. */
  const canPlace = () => !view.players && !view.past && view.board !== "";
  const unplaced = () => (canPlace() ? Object.keys(view.tokens).filter((id) => view.tokens[id]?.at === undefined) : []);
  /** Who stands at a place, the first of them. @param {Spot | string | undefined} place */
  const whoAt = (place) => Object.keys(view.tokens).find((id) => place !== undefined && String(view.tokens[id]?.at) === String(place));

  /** @returns {Sight} */
  const sight = () => {
    seen ??= fitted(view, width, height);
    return { kind: kindOf(view.board), ...seen, width, height };
  };

  /** Asks how one gets to what is chosen: one question at a time, the newest next. */
  const ask = async () => {
    if (isAsking || !chosen) return;
    isAsking = true;
    const asked = keyOf(chosen);
    const { to, via, action } = chosen;
    try {
      const answer = /** @type {MapWays} */ (await port.ask({ kind: "way", name: mover()?.name, ...(via.length ? { stops: [...via, to] } : { to }), ...(action && { action }) }));
      if (chosen && keyOf(chosen) === asked) {
        chosen = { ...chosen, answer };
        const [way] = answer.ways;
        say(way ? [`${said(to)}.`, ...told(way), chosen.held && tr("A stop on the way.")].filter(Boolean).join(" ") : words(answer.why));
      }
    } catch (refusal) {
      if (keyOf(chosen) === asked) refuse(/** @type {{reason: string}} */ (refusal).reason);
    }
    isAsking = false;
    if (signal.aborted) return;
    draw();
    if (chosen && keyOf(chosen) !== asked) ask();
  };

  /** @param {string} reason */
  const refuse = (reason) => {
    refused = reason;
    say(reason);
    draw();
  };

  /** Chooses a place; the same again goes there. @param {Spot | string} to @param {Partial<Chosen>} [how] */
  const choose = (to, how) => {
    if (!canGo()) return;
    if (!how && String(chosen?.to) === String(to)) return go();
    const { to: last, via = [], held } = chosen ?? {};
    refused = "";
    chosen = { to, via: held && last ? [...via, last] : via, way: 0, ...how };
    draw();
    ask();
  };

  /** Makes a place a stop on the way, from which that leads on, or takes that back. @param {Spot | string} place */
  const stopAt = (place) => {
    if (!canGo() || view.board === "zones") return;
    if (!chosen || String(chosen.to) !== String(place)) return choose(place, { held: true });
    chosen = { ...chosen, held: !chosen.held };
    say(tr(chosen.held ? "A stop on the way." : "No stop on the way."));
    draw();
  };

  /** Shows all that is threatened, or what is threatened for whoever's ground it is. @param {boolean} on @param {boolean} [isAgain] it has been said already */
  const showThreats = async (on, isAgain) => {
    everywhere = on ? (everywhere ?? []) : undefined;
    if (!on) {
      say(tr("Threatened places are shown as before."));
      return draw();
    }
    try {
      const { threat } = await port.ask({ kind: "threats" });
      if (!everywhere) return;
      everywhere = threat;
      if (!isAgain) say(tr(threat.length ? "All that is threatened is shown." : "Nothing is threatened."));
      draw();
    } catch (refusal) {
      everywhere = undefined;
      refuse(/** @type {{reason: string}} */ (refusal).reason);
    }
  };

  /** Chooses a place that is typed. @param {{to: string, beside: boolean}} place */
  const seek = async (place) => {
    if (!isOn()) show(true);
    try {
      const { at: spot } = /** @type {{at: Spot | string}} */ (/** @type {unknown} */ (await port.ask({ kind: "spot", name: mover()?.name, ...place })));
      if (String(chosen?.to) !== String(spot)) choose(spot);
      walk(spot);
    } catch (refusal) {
      refuse(/** @type {{reason: string}} */ (refusal).reason);
    }
  };

  const letGo = () => {
    chosen = picked = undefined;
    fellows = [];
    refused = "";
    if (looked) look(undefined);
    draw();
  };

  /** Shows somebody's ground, or again that of whoever acts. @param {string | undefined} id */
  const look = (id) => {
    looked = id;
    port.send({ kind: "look", name: view.tokens[id ?? ""]?.name ?? null }, ({ reason }) => refuse(reason));
  };

  /** Takes somebody up, who is to be set down, and goes to where that may begin. @param {string} id */
  const pick = (id) => {
    chosen = undefined;
    refused = "";
    picked = id;
    fellows = [];
    const from = view.tokens[id]?.at ?? stopOf(cellsIn(view, cursor))?.to;
    if (from === undefined) draw();
    else walk(from);
    askWhere();
  };

  /** Asks where whoever is taken up is to stand. */
  const askWhere = () => picked && say(`${view.tokens[picked]?.name}: where?`);

  /** Before the fight: takes up one more who stands somewhere, or leaves them there. @param {string} id */
  const join = (id) => {
    if (!picked || view.tokens[picked]?.at === undefined) return pick(id);
    const all = group(picked);
    const left = all.includes(id) ? all.filter((each) => each !== id) : [...all, id];
    [picked, ...fellows] = left;
    say(left.map((each) => view.tokens[each]?.name).join(", ") || tr("Nobody is taken up."));
    draw();
  };

  /** Who is moved together with somebody, they first. @param {string} id */
  const group = (id) => {
    const all = picked ? [picked, ...fellows] : [];
    return all.includes(id) ? [id, ...all.filter((each) => each !== id)] : [id];
  };

  /** Where each of a group stands once somebody is set down: as they stand to each other now. @param {string} id @param {Spot | string | null} place @returns {[string, Spot | string | null][]} */
  const together = (id, place) => {
    const from = view.tokens[id]?.at;
    return group(id).map((each) => {
      const at = view.tokens[each]?.at;
      const isShifted = each !== id && Array.isArray(from) && Array.isArray(at) && Array.isArray(place);
      return [each, isShifted ? [at[0] + place[0] - from[0], at[1] + place[1] - from[1]] : place];
    });
  };

  /** Sets somebody down, or takes them off the map; where they were taken up by a tap, then comes the next of those who stand nowhere. @param {string} id @param {Spot | string | null} place */
  const put = (id, place) => {
    // Whoever was set down a moment ago may stand nowhere yet.
    const left = unplaced();
    const name = Object.fromEntries(together(id, place).map(([each, at]) => [view.tokens[each]?.name, at]));
    picked = picked && place !== null && view.tokens[id]?.at === undefined ? left[left.indexOf(id) + 1] : undefined;
    fellows = [];
    port.send({ kind: "place", name }, ({ reason }) => refuse(reason));
    askWhere();
    draw();
  };

  /**
   * What a tap does, or Enter: sets down whoever is taken up; before the fight takes up whoever stands there, later aims at them or shows
   * their ground; else goes there.
   *
   * @param {Spot | string} place @param {string} [who] stands there @param {boolean} [isMore] with Shift: before the fight, of several
   */
  const act = (place, who = view.board === "zones" ? undefined : whoAt(place), isMore = false) => {
    if (laying.isOpen()) return undefined;
    if (area.isOpen()) return area.tap(place);
    if (ruler.isOn()) return Array.isArray(place) ? ruler.tap(place) : undefined;
    if (isMore && who && !view.current && canPlace()) return join(who);
    if (picked) return put(picked, place);
    if (who && !view.past && tell(root, "ck-pick", { name: view.tokens[who]?.name })) return undefined;
    if (who && !view.current && canPlace()) return pick(who);
    if (who && view.board !== "zones" && !view.past && who !== view.whose) return look(who === view.current ? undefined : who);
    if (who && view.board !== "zones" && !view.past) {
      if (!looked) say(`The ground of ${view.tokens[who]?.name} is shown.`);
      return letGo();
    }
    choose(place);
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

  /** The cell or zone at a point of the page, if the ground is there and nothing lies over it. @param {{clientX: number, clientY: number}} point @returns {Spot | string | undefined} */
  const at = ({ clientX, clientY }) => {
    const [ground, bar] = [".mp-ground", ".mp-row"].map((each) => /** @type {Element} */ (root.querySelector(each)).getBoundingClientRect());
    const isIn = (/** @type {DOMRect | undefined} */ box) => box && clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
    if (!ground || !isIn(ground) || isIn(bar)) return undefined;
    const [x, y] = [clientX - ground.left, clientY - ground.top];
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
    if (place === undefined || dragged) return;
    if (event.shiftKey && canGo()) stopAt(place);
    else act(place, /** @type {Element} */ (event.target).closest("[data-token]")?.getAttribute("data-token") ?? undefined, event.shiftKey);
    walk(place);
  };

  /** @param {PointerEvent} event @param {string | undefined} id who is held, or the ground */
  const hold = (event, id) => {
    grip = { id, from: [event.clientX, event.clientY], middle: sight().middle, below: laying.from(), over: undefined, start: at(event), via: [], moved: false };
  };

  /** @param {PointerEvent} event */
  const down = (event) => {
    dragged = false;
    if (event.button || !event.isPrimary) return;
    const id = whoAt(at(event));
    const isTheirs = id !== undefined && view.board !== "zones" && !laying.isOpen() && !area.isOpen() && !ruler.isOn() && (canPlace() || (canGo() && id === view.whose));
    hold(event, isTheirs ? id : undefined);
  };

  /** Who is told of in a row of the set-up's list, beside its buttons. @param {Event} event */
  const listed = ({ target }) => {
    const on = /** @type {Element} */ (target);
    const row = isOpen && view.setup && !on.closest(".a,form") && on.closest(".ck-set .l .ck-mem");
    const name = row && row.querySelector("[data-remove]")?.getAttribute("data-remove");
    return Object.keys(view.tokens).find((id) => view.tokens[id]?.name === name);
  };

  /** Takes up somebody from a list. @param {PointerEvent} event @param {string | undefined} id */
  const lift = (event, id) => {
    if (!id || event.button || !event.isPrimary || laying.isOpen()) return;
    dragged = false;
    hold(event, id);
  };

  /** @param {PointerEvent} event */
  const drag = (event) => {
    if (!grip || (!grip.id && view.board === "zones")) return;
    const [x, y] = [event.clientX - grip.from[0], event.clientY - grip.from[1]];
    if (!grip.moved && Math.hypot(x, y) < STILL) return;
    if (!grip.moved) field.setPointerCapture(event.pointerId);
    grip.moved = true;
    // Nothing else is drawn anew before it is over another place.
    if (grip.id) return stay(grip, at(event));
    if (area.isOpen()) area.drag(grip.start, at(event));
    else if (ruler.isOn()) {
      const over = at(event);
      if (Array.isArray(grip.start) && Array.isArray(over)) ruler.drag(grip.start, over);
    } else if (seen && laying.isOpen() && view.picture) laying.drag(grip.below, [x / seen.size, y / seen.size]);
    else if (seen) seen.middle = [grip.middle[0] - x / seen.size, grip.middle[1] - y / seen.size];
    soon();
  };

  /** Whoever is held is over a place: where whoever acts stays for long enough, there is a stop on the way. @param {NonNullable<typeof grip>} held @param {Spot | string | undefined} place */
  const stay = (held, place) => {
    if (String(held.over) === String(place)) return;
    held.over = place;
    soon();
    clearTimeout(stays);
    if (!isGoing(held.id) || !Array.isArray(place) || whoAt(place) === held.id) return;
    stays = setTimeout(() => {
      held.via.push(place);
      draw();
    }, STAYED);
  };

  /** Whether it is whoever acts, whom a drag sends nowhere yet. @param {string | undefined} id */
  const isGoing = (id) => canGo() && id === view.current && id === view.whose;

  /** Ends what a pointer grip: whoever acts is about to go there, anybody else is set down there. */
  const drop = () => {
    const { id, over, via = [], moved } = grip ?? {};
    grip = undefined;
    clearTimeout(stays);
    if (!moved) return;
    dragged = true;
    if (area.isOpen()) return area.drop();
    if (ruler.isOn()) return ruler.drop();
    if (!id || over === undefined || String(view.tokens[id]?.at) === String(over)) return draw();
    if (isGoing(id)) {
      if (String(via.at(-1)) === String(over)) via.pop();
      return choose(over, { via });
    }
    put(id, over);
  };

  const cancel = () => {
    grip = undefined;
    clearTimeout(stays);
    if (area.isOpen()) area.drop();
    else if (ruler.isOn()) ruler.drop();
    draw();
  };

  /** Shows cells wider, or less wide, around the middle. @param {number} [by] as at first, without it */
  const scale = (by) => {
    if (by === undefined) seen = undefined;
    else if (seen) seen.size = Math.min(LARGEST, Math.max(LEAST / 2, seen.size * by));
    draw();
  };

  /** @param {WheelEvent} event */
  const wheel = (event) => {
    if (!event.ctrlKey || view.board === "zones") return;
    claim(event);
    scale(event.deltaY < 0 ? NEARER : 1 / NEARER);
  };

  /** Where the keys are, among what they can be at. @param {Cell[]} cells */
  const stopOf = (cells) => {
    const wanted = [cursor, view.tokens[view.whose ?? ""]?.at, view.tokens[view.current ?? ""]?.at].map(String);
    return wanted.map((key) => cells.find(({ to }) => String(to) === key)).find(Boolean) ?? cells[0];
  };

  /** Goes to a place with the keys, and keeps it in sight. @param {Spot | string} place */
  const walk = (place) => {
    cursor = place;
    if (Array.isArray(place) && seen) {
      const [x, y] = placeOf(sight(), place);
      const { middle, size } = seen;
      const half = [width / 2 - size, height / 2 - size];
      const off = (/** @type {number} */ far, /** @type {number} */ most) => Math.max(0, Math.abs(far) - most) * Math.sign(far);
      seen.middle = [middle[0] + off(x - middle[0] * size, half[0] ?? 0) / size, middle[1] + off(y - middle[1] * size, half[1] ?? 0) / size];
    }
    draw();
    /** @type {HTMLElement | null} */ (root.querySelector(`[data-cell="${CSS.escape(String(place))}"]`))?.focus({ preventScroll: true });
  };

  /** Goes on to the next who stands somewhere, or back. @param {1 | -1} by */
  const next = (by) => {
    const places = [...new Map(Object.values(view.tokens).flatMap(({ at }) => (at === undefined ? [] : [[String(at), at]]))).values()];
    const now = places.findIndex((place) => String(place) === String(stopOf(cellsIn(view, cursor))?.to));
    const place = places[(now + by + places.length) % places.length];
    if (place !== undefined) walk(/** @type {Spot | string} */ (place));
  };

  const other = () => {
    const ways = chosen?.answer?.ways ?? [];
    const way = ways[((chosen?.way ?? 0) + 1) % ways.length];
    if (!way || ways.length < 2) return say("No other way.");
    turn(way);
    say([`${way.title}.`, ...told(way)].filter(Boolean).join(" "));
  };

  /** What keys do wherever one is on the map. @type {Record<string, (place?: Spot | string) => void>} */
  const KEYS = { w: other, v: (place) => place !== undefined && stopAt(place), o: () => void showThreats(!everywhere), "+": () => scale(NEARER), "-": () => scale(1 / NEARER), 0: () => scale(), ".": () => next(1), ",": () => next(-1) };

  /** A key on the cell that has the focus, which a screen reader may have given to any. @param {KeyboardEvent} event */
  const key = (event) => {
    const { cell } = /** @type {HTMLElement} */ (event.target).dataset;
    const stop = cellsIn(view, cursor).find(({ to }) => String(to) === cell);
    const to = stop && beyond(view, stop.to, event);
    if (!isPlain(event)) return;
    if (to !== undefined) walk(to);
    else if (/^Arrow/.test(event.key)) return claim(event);
    else if ((event.key === "Enter" || event.key === " ") && stop) {
      if (!event.repeat) act(stop.to, undefined, event.shiftKey);
    } else if (KEYS[event.key]) KEYS[event.key]?.(stop?.to);
    else return;
    claim(event);
  };

  /** @param {KeyboardEvent} event */
  const escape = (event) => {
    if (event.key !== "Escape" || !(chosen || picked || looked || laying.isOpen() || area.isOpen() || ruler.isOn())) return;
    claim(event);
    if (laying.isOpen()) laying.close();
    else if (area.isOpen()) area.close();
    else if (ruler.isOn()) ruler.turn(false);
    else letGo();
  };

  /** What a place is called that is chosen or measured to, where it is: the action, the steps, who may attack; or how far it is. */
  const label = () => {
    const { end, far } = ruler.line() ?? {};
    const way = chosen?.answer?.ways[chosen.way];
    const to = end && far ? end : chosen?.answer && chosen.to;
    if (view.board === "zones" || !Array.isArray(to)) return nothing;
    const [x, y] = placeOf(sight(), to);
    const { middle, size } = sight();
    const [left, top] = [width / 2 - middle[0] * size + x, height / 2 - middle[1] * size + y];
    const people = Object.values(view.tokens).flatMap(({ at }) => (Array.isArray(at) ? [placeOf(sight(), at)[1] + height / 2 - middle[1] * size] : []));
    // Near the place, and on nobody's line: above it or below it, else at the rim.
    const tops = [top - size / 2 - 32, top + size / 2 + 8, 4, height - 32].filter((each) => each >= 4 && each <= height - 32);
    const free = tops.find((each) => people.every((line) => line + size / 2 < each || line - size / 2 > each + 28)) ?? tops[0] ?? 4;
    // It begins or ends near the place, whichever has more room beside it.
    const side = left < width / 2 ? `inset-inline-start:${Math.max(4, left - size)}px` : `inset-inline-end:${Math.max(4, width - left - size)}px`;
    const told = to === end ? html`<b>${far}</b>` : way ? html`<b>${way.says}</b>${way.small ? html` · ${way.small}` : nothing}` : words(chosen?.answer?.why ?? []);
    return html`<p class="mp-tag" aria-hidden="true" .style=${`${side};inset-block-start:${free}px`}>${told}</p>`;
  };

  const row = () => {
    const answer = chosen?.answer;
    const way = answer?.ways[chosen?.way ?? 0];
    const title = titleOf(answer);
    const others = answer?.ways.filter((each) => each !== way) ?? [];
    const why = refused || (answer && words(answer.why));
    const { cost } = answer?.actions.find(({ id }) => id === answer.action) ?? {};
    const alike = answer?.actions.filter((each) => !each.no && each.cost === cost && each.id !== answer.action) ?? [];
    if (laying.isOpen()) return laying.row();
    if (ruler.isOn()) return ruler.row();
    const token = view.tokens[picked ?? looked ?? ""];
    if (token) return html`<div class="mp-row"
      ><p class="mp-says"><b>${picked && fellows.length ? html`${token.name} and ${fellows.length} more` : token.name}</b> ${refused || (picked ? "Tap where they stand." : (view.about ?? said(token.at)))}</p
      >${picked && token.at !== undefined ? html`<button type="button" class="ck-btn" @click=${once(() => put(picked ?? "", null))}>Off the map</button>` : nothing}<button type="button" class="ck-btn" @click=${letGo}>${picked ? "Not now" : "Close"}</button></div>`;
    if (area.isWanted() && !chosen && view.board !== "zones") return area.row();
    const rest = unplaced();
    if (!chosen && rest.length) return html`<div class="mp-row"
      ><p class="mp-says is-short">${refused || "Not on the map:"}</p
      ><div class="mp-tray">${rest.map((id) => html`<button type="button" class="ck-btn" @pointerdown=${(/** @type {PointerEvent} */ event) => lift(event, id)} @click=${once(() => pick(id))}>${view.tokens[id]?.name}</button>`)}</div></div>`;
    if (!chosen) return html`<p class="mp-row ${refused ? "" : "is-hint"}"><span class="mp-says">${refused || hint()}</span></p>`;
    return html`<div class="mp-row is-way"
      ><p class="mp-says"><b>${way && answer ? html`${title} to ${said(chosen.to)}` : said(chosen.to)}</b> ${way ? [farOf(way, title), cost, way.text, why].filter(Boolean).join(" · ") : why}</p
      >${others.map((other) => html`<button type="button" class="ck-btn" @click=${() => turn(other)}>${other.title} <small>${other.small}</small></button>`)}${alike.map((each) => html`<button type="button" class="ck-btn" @click=${() => take(each.id)}>${each.title} <small>${each.cost}</small></button>`)}<button type="button" class="ck-btn" @click=${letGo}>Not now</button
      >${way ? html`<button type="button" class="ck-btn is-main" @click=${once(go)}>Move ${mover()?.name}</button>` : nothing}</div>`;
  };

  /** @param {MapWays["ways"][number]} way */
  const turn = (way) => {
    if (!chosen?.answer) return;
    chosen = { ...chosen, way: chosen.answer.ways.indexOf(way) };
    draw();
  };

  /** Chooses by which action. @param {string} action */
  const take = (action) => {
    if (!chosen) return;
    chosen = { ...chosen, action, way: 0 };
    ask();
  };

  /** Puts what is chosen on the desk of the tracker around it, or takes it away again. */
  const lay = () => {
    const answer = chosen?.answer;
    const who = mover();
    if (chosen && who) render(wayForm(view, who, { to: chosen.to, answer, way: answer?.ways[chosen.way], refused }, { take, turn, letGo, go }), form);
    const wanted = Boolean(chosen && who) && isOn() && !view.players;
    if (!part || wanted === isOnDesk) return;
    isOnDesk = wanted;
    const left = () => {
      isOnDesk = false;
      chosen = undefined;
      draw();
    };
    tell(root, "ck-desk", { at: "map", ...(wanted && { title: who?.name, slots: true, el: form, left }) });
  };

  /** Whether there is a switch: a player's page folds the map in its place. */
  const isSwitched = () => getComputedStyle(root.querySelector(".mp-pair") ?? root).display !== "none";

  /** Goes to whoever acts, once there is a grid to go into. */
  const goIn = () => {
    cursor = undefined;
    const stop = stopOf(cellsIn(view, cursor));
    if (stop && width) walk(stop.to);
    isEntering = !width;
  };

  /** Shows it in the tracker, or what else stands there. @param {boolean} on @param {boolean} [isByKey] where a key brings it, that leads into it */
  const show = (on, isByKey) => {
    // Without a switch nothing would bring it back.
    if (!on && !isSwitched()) return;
    if (view.setup) isOpen = on;
    else pane.turn(on);
    if (!on) {
      chosen = picked = undefined;
      fellows = [];
    }
    draw();
    const switched = root.querySelector(`.mp-pair > :nth-child(${on ? 1 : 2})`) ?? root.closest(".ck-shell")?.querySelector(".ck-setup .is-map");
    /** @type {HTMLElement | null | undefined} */ (switched)?.focus();
    isEntering = false;
    if (on && isByKey) goIn();
  };

  const instead = () => {
    const wide = outer?.clientWidth ?? 0;
    return wide <= NARROW ? "Actions" : wide >= WIDE || matchMedia(LOW).matches ? "Off" : "Log";
  };

  /** The switch: what stands in the place of the map depends on how much room there is; the set-up has one of its own. */
  const pair = () =>
    view.setup ? html`<span class="mp-pair"><button type="button" class="ck-btn is-mini" aria-label="Close the map" aria-keyshortcuts="G" @click=${() => show(false)}>Close</button></span>` : html`<span class="mp-pair" role="group" aria-label="Shown" aria-keyshortcuts="G"><button type="button" class="ck-btn is-mini" aria-pressed=${isOn()} @click=${() => show(true)}>Map</button
      ><button type="button" class="ck-btn is-mini" aria-pressed=${!isOn()} @click=${() => show(false)}>${instead()}</button></span>`;

  const hint = () => (canGo() ? "Tap where to go." : canPlace() && !view.current ? "Tap whoever you want to move." : "");

  let frame = 0;
  /** Draws once for all that happens until the next frame. */
  const soon = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  };
  signal.addEventListener("abort", () => cancelAnimationFrame(frame));

  /** The box of a place on the ground. @param {Cell} cell */
  const boxOf = ({ to }) => {
    if (!Array.isArray(to)) {
      const { x = 0, y = 0, wide = 0, high = 0 } = boxesOf(view, width, height)[view.zones.findIndex(({ name }) => name === to)] ?? {};
      return { left: x, top: y, wide, high };
    }
    const [x, y] = placeOf(sight(), to);
    const { middle, size } = sight();
    return { left: width / 2 + x - (middle[0] + 0.5) * size, top: height / 2 + y - (middle[1] + 0.5) * size, wide: size, high: size };
  };

  /** Where the focus goes if what had it is gone: to the place where the keys are. */
  const heir = () => /** @type {HTMLElement | null} */ (root.querySelector(".mp-cell[tabindex='0']"));

  const draw = () => view && keepFocus(root, paint, heir);

  const paint = () => {
    const carried = grip?.moved && grip.id ? grip : undefined;
    const along = carried?.id && carried.over !== undefined ? together(carried.id, carried.over).slice(1) : [];
    const goal = carried ? carried.over : chosen?.to;
    const ghost = carried?.id ?? view.whose ?? "";
    const ways = chosen?.answer?.ways ?? [];
    const stops = [...(carried?.via ?? chosen?.via ?? []), ...(chosen?.held && !carried ? [chosen.to] : [])];
    const first = ways[chosen?.way ?? 0];
    const isMap = view.board !== "" && width > 0;
    const seen = everywhere ? { ...view, threat: everywhere } : view;
    const below = laying.shown();
    const cells = isMap ? cellsIn(seen, cursor) : [];
    const ground = !isMap
      ? nothing
      : view.board === "zones"
        ? zonesDrawn(view, width, height, typeof goal === "string" ? goal : undefined)
        : drawn({ view: below ? { ...seen, picture: below } : seen, stops: /** @type {Spot[]} */ (stops), ruled: ruler.line(), group: picked ? group(picked) : [], along: /** @type {[string, Spot][]} */ (along), href: hrefOf(below), sight: sight(), prefix, aimed: Object.keys(view.tokens).filter((id) => aimed.includes(view.tokens[id]?.name ?? "")), goal: Array.isArray(goal) ? goal : undefined, area: area.cells(), ghost, ways: carried ? [] : first ? [first, ...ways.filter((way) => way !== first)] : [] });
    const scales = isMap && view.board !== "zones";
    const lays = scales && view.lays;
    lay();
    shell?.classList.toggle("is-placing", Boolean(view.setup && view.board && isOpen));
    if (part && (view.board === "" || !isOn())) {
      // Something is drawn, or it would be told in words.
      render(view.board === "" ? html`<div hidden></div>` : view.setup ? html`<section class="ck-map is-off" .style=${"display:none"}></section>` : html`<section class="ck-map is-off" aria-label="Map"><header class="ck-cap"><span class="ck-end">${pair()}</span></header></section>`, root);
      return;
    }
    render(
      html`<section class="ck-map ${isAside ? "is-aside" : ""}" aria-label="Map" .style=${!part && laying.isOpen() ? TALL : ""} @keydown=${escape} @dragover=${lays ? laying.heed : nothing} @drop=${lays ? laying.heed : nothing}
        ><header class="ck-cap"><h4>Map</h4><span class="mp-of">${view.caption}</span><span class="ck-end">${lays ? laying.button() : nothing} ${scales && !view.saved && (width >= RULED || !isSwitched()) ? ruler.button() : nothing} ${scales ? html`<button type="button" class="ck-btn is-mini" aria-label="Zoom out" aria-keyshortcuts="-" @click=${() => scale(1 / NEARER)}>−</button> <button type="button" class="ck-btn is-mini" aria-label="Zoom in" aria-keyshortcuts="+" @click=${() => scale(NEARER)}>+</button> <button type="button" class="ck-btn is-mini" aria-keyshortcuts="0" aria-label="Show all" @click=${() => scale()}>All</button>` : nothing} ${part ? pair() : nothing}</span></header
        ><div class="mp-ground ${grip?.moved && !grip.id ? "is-grip" : ""}"><svg class="mp" aria-hidden="true" width=${width} height=${height} @click=${tap} @pointerdown=${down} @wheel=${wheel}>${ground}</svg>${cells.length ? grid(cells, stopOf(cells), chosen && String(chosen.to), boxOf, key) : nothing}${label()}</div
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
    if (isEntering) goIn();
  });
  /** What the switch says is a matter of how wide the tracker is. */
  const around = new ResizeObserver(() => draw());
  signal.addEventListener("abort", () => {
    sizes.disconnect();
    around.disconnect();
  });
  /** @type {Element | null} */
  let watched = null;
  const watch = () => {
    const ground = root.querySelector(".mp-ground");
    if (ground && ground !== watched) sizes.observe((watched = ground));
  };

  form.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "w" && isPlain(event)) other();
    else escape(event);
  });
  const shell = part ? root.closest(".ck-shell") : null;
  const outer = shell?.parentElement;
  const field = outer ?? root;
  listen(field, "pointermove", signal, drag);
  listen(field, "pointerup", signal, drop);
  listen(field, "pointercancel", signal, cancel);
  if (outer) {
    around.observe(outer);
    listen(outer, "pointerdown", signal, (event) => lift(event, listed(event)));
    listen(outer, "click", signal, (event) => {
      const id = dragged ? undefined : listed(event);
      if (id) pick(id);
    });
    hear(outer, "ck-map", () => show(!isOn()), signal);
    hear(outer, "ck-keys", (/** @type {import("../more/shortcuts.js").Keys[]} */ groups) => groups.push(keysOn(view.board)), signal);
    hear(outer, "ck-go", (/** @type {{to: string, beside: boolean}} */ place) => canGo() && void seek(place), signal);
    listen(outer, "ck-aim", signal, ({ detail: { names, many } }) => {
      aimed = names;
      area.want(Boolean(many));
      draw();
    });
    listen(outer, "ck-desk", signal, ({ detail: { at, el } }) => {
      if (at === "map" || isAside === Boolean(el)) return;
      isAside = Boolean(el);
      draw();
    });
    // What is done by a key, or answered from a rung, is asked where the actions are.
    hear(outer, "ck-front", () => outer.clientWidth <= NARROW && isOn() && show(false), signal);
    listen(outer, "keydown", signal, (event) => {
      if (event.key.toLowerCase() !== "g" || event.repeat || !isPlain(event) || view.board === "" || event.target.closest("input:not([type=range], [type=checkbox]), select, textarea")) return;
      claim(event);
      show(!isOn(), true);
    });
  }

  return (next) => {
    // What was chosen was chosen for somebody, where they stood.
    if (view && (next.whose !== view.whose || next.tokens !== view.tokens)) chosen = undefined;
    if (next.setup && view && !view.setup) isOpen = false;
    // A map that is laid out for those who stand nowhere yet is one that was asked for.
    if (!view?.board && next.board && Object.values(next.tokens).every(({ at: place }) => place === undefined)) {
      isOpen = true;
      pane.turn(true);
    }
    if (view && (next.board !== view.board || (next.current && !view.current) || (!next.current && next.picture?.id !== view.picture?.id))) seen = undefined;
    const before = view?.whose;
    view = next;
    if (everywhere) showThreats(true, true);
    if (looked !== undefined && view.whose !== looked) looked = undefined;
    const other = before === looked ? undefined : view.tokens[looked ?? ""];
    if (other) say(`${other.name}: ${view.about ?? said(other.at)}`);
    if (picked !== undefined && !view.tokens[picked]) picked = undefined;
    fellows = picked === undefined ? [] : fellows.filter((each) => view.tokens[each]?.at !== undefined);
    draw();
  };
}
