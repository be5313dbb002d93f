/** A soft sound for whoever wants one, and a screen that stays on: what tells somebody of their turn who looks elsewhere. */
import { kept } from "./kept.js";

const KEPT = "combatkit-sound";
/** Two notes that go up: how high, and when each begins, in seconds. */
const NOTES = [
  [587, 0],
  [880, 0.18],
];
const LOUD = 0.12;
const LONG = 0.7;

/** A bell that is silent until somebody turns it on; that is remembered. */
export function createBell() {
  let isOn = kept(KEPT) === "on";
  /** @type {AudioContext | undefined} */
  let air;
  // A browser lets a page sound only once it has been touched, and a phone that slept falls silent until it is told.
  const wake = () => {
    if (!isOn) return;
    air ??= new AudioContext();
    air.resume();
  };
  document.addEventListener("pointerdown", wake);
  document.addEventListener("visibilitychange", () => air?.resume());

  const ring = () => {
    if (!isOn || !air) return;
    for (const [high, after] of /** @type {[number, number][]} */ (NOTES)) {
      const from = air.currentTime + after;
      const tone = new OscillatorNode(air, { type: "sine", frequency: high });
      const loud = new GainNode(air, { gain: 0 });
      loud.gain.setValueAtTime(0, from);
      loud.gain.linearRampToValueAtTime(LOUD, from + 0.03);
      loud.gain.exponentialRampToValueAtTime(0.001, from + LONG);
      tone.connect(loud).connect(air.destination);
      tone.start(from);
      tone.stop(from + LONG);
    }
  };
  return {
    ring,
    isOn: () => isOn,
    /** Turns it on, with a sample of what will be heard, or off. @param {boolean} on */
    turn: (on) => {
      isOn = on;
      kept(KEPT, on ? "on" : "off");
      wake();
      ring();
    },
  };
}

/** Keeps the screen on while the page is looked at, where the browser allows it. */
export function stayOn() {
  const ask = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => undefined);
  document.addEventListener("visibilitychange", ask);
  ask();
}
