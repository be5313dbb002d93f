/** What waits for that. @type {(() => void)[]} */
let waiting = [];

/**
 * Does what reads how things lie, or scrolls, in the next frame: once all that has come together is drawn, so that it is
 * laid out once.
 *
 * @param {() => void} work
 */
export function whenLaid(work) {
  const last = waiting.push(work);
  if (last > 1) return;
  requestAnimationFrame(() => {
    const due = waiting;
    waiting = [];
    for (const each of due) each();
  });
}
