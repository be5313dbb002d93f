/** Measuring from one square or hex to another: what lies between is for the rules to say. */
import { html, tr } from "../shared/tongue.js";
import { said } from "./draw.js";

/** @import { Port } from "../shared/port.js" */
/** @import { Spot } from "./geometry.js" */

/**
 * @param {Port} port
 * @param {{redraw: () => void, say: (words: string) => void, find: (selector: string) => HTMLElement | null}} map
 */
export const createRuler = ({ ask }, { redraw, say, find }) => {
  let isOn = false;
  /** @type {Spot | undefined} */
  let start;
  /** @type {Spot | undefined} */
  let end;
  /** How far that is, once it is known. */
  let far = "";
  /** Why it isn't. */
  let why = "";
  /** Whether one is under way; the newest place comes next. */
  let isAsking = false;
  /** Whether a pointer still draws it, which is not said step by step. */
  let isHeld = false;

  const told = () => (start && end && far ? tr(`${said(start)} to ${said(end)}: ${far}`) : "");
  const tell = () => !isHeld && told() && say(`${told()}.`);

  const measure = async () => {
    if (isAsking || !start || !end) return;
    const asked = [start, end];
    isAsking = true;
    try {
      const { says } = await ask({ kind: "far", start, end });
      if (String([start, end]) === String(asked)) far = says;
      tell();
    } catch (refusal) {
      why = /** @type {{reason: string}} */ (refusal).reason;
      say(why);
    }
    isAsking = false;
    redraw();
    if (String([start, end]) !== String(asked)) measure();
  };

  /** @param {Spot} from @param {Spot} [to] */
  const set = (from, to) => {
    if (String([start, end]) === String([from, to])) return;
    [start, end, far, why] = [from, to, "", ""];
    redraw();
    measure();
  };

  /** @param {boolean} on */
  const turn = (on) => {
    isOn = on;
    start = end = undefined;
    why = "";
    isHeld = false;
    redraw();
    if (!on) find(".mp-rules")?.focus();
  };

  return {
    isOn: () => isOn,
    turn,
    /** From here, or if that is said already, to here. @param {Spot} spot */
    tap: (spot) => (start && !end ? set(start, spot) : set(spot)),
    /** @param {Spot} from @param {Spot} to */
    drag: (from, to) => {
      isHeld = true;
      set(from, to);
    },
    drop: () => {
      isHeld = false;
      tell();
    },
    /** What is drawn of it. */
    line: () => (start ? { start, end, far } : undefined),
    button: () => html`<button type="button" class="ck-btn is-mini mp-rules" aria-pressed=${isOn} @click=${() => turn(!isOn)}>Ruler</button>`,
    row: () => html`<div class="mp-row"><p class="mp-says">${told() || why || (start ? "Tap where it is measured to." : "Tap where it is measured from, or drag.")}</p><button type="button" class="ck-btn" @click=${() => turn(false)}>Close</button></div>`,
  };
};
