/**
 * Asks the boxes of a tracker whether everything is where it belongs, and gives what is wrong, in words.
 *
 * @param {{before: Record<string, number[]> | null}} asked where things were before the last click
 */
({ before }) => {
  const shell = document.querySelector(".ck-shell");
  const wrong = [];
  const all = (selector, root = shell) => [...root.querySelectorAll(selector)];
  const seen = (el) => el && el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const box = (el) => {
    const { left, top, right, bottom } = el.getBoundingClientRect();
    return [left, top, right, bottom].map((each) => Math.round(each * 2) / 2);
  };
  const frame = box(shell);
  const narrow = frame[2] - frame[0] <= 720;
  const name = (el) => `${el.className || el.tagName} "${(el.ariaLabel ?? el.innerText ?? "").slice(0, 30)}"`;
  const find = (selector) => all(selector).find(seen);

  // Zones at their heights.
  const heights = narrow ? { ".ck-res": 44, ".ck-strip": 28, ".ck-order:not(.is-all)": 64, ".ck-ctl": 60 } : { ".ck-head": 52, ".ck-strip": 28, ".ck-res": 44, ".ck-log > .ck-cap": 28 };
  // On a phone, why something can't be done has the room it needs, and what is below gives way.
  const grows = narrow && find(".ck-res.is-word:not(.is-asking)");
  if (grows) delete heights[".ck-res"];
  for (const [selector, height] of Object.entries(heights)) {
    const el = find(selector);
    if (!el) continue;
    const [, top, , bottom] = box(el);
    if (Math.abs(bottom - top - height) > 1) wrong.push(`${selector} is ${bottom - top} px tall, not ${height}`);
  }
  if (Math.abs(frame[3] - frame[1] - (narrow ? 564 : 612)) > 1) wrong.push(`the frame is ${frame[3] - frame[1]} px tall`);

  // Rungs and lines in sight, or all there are.
  const within = (inner, outer) => inner[1] >= outer[1] - 1 && inner[3] <= outer[3] + 1 && inner[0] >= outer[0] - 1 && inner[2] <= outer[2] + 1;
  const count = (there, outer, wanted, what) => {
    const insight = there.filter((each) => within(each, outer)).length;
    if (insight < Math.min(wanted, there.length)) wrong.push(`${insight} ${what} in sight, of ${there.length}`);
  };
  const ladder = find(".ck-ladder");
  if (ladder) count(all(".ck-rung", ladder).map(box), box(ladder), 6, "rungs");
  const log = find(".ck-log-body");
  if (log) {
    // What is told at length goes on below: five lines of text are in sight, whoever they tell of, and none is cut through.
    const lines = all(".ck-line > .txt", log).flatMap((text) => {
      const tall = parseFloat(getComputedStyle(text).lineHeight);
      const [left, top, right, bottom] = box(text);
      return Array.from({ length: Math.round((bottom - top) / tall) }, (_, row) => [left, top + row * tall, right, top + (row + 1) * tall]);
    });
    const outer = box(log);
    count(lines, outer, 5, "lines");
    const cut = lines.filter(([, top, , bottom]) => !narrow && [outer[1], outer[3]].some((edge) => top < edge - 1 && bottom > edge + 1));
    if (cut.length) wrong.push(`${cut.length} lines are cut through`);
  }
  for (const rung of ladder && !narrow ? all(".ck-rung", ladder) : []) if (Math.abs(rung.offsetHeight - 36) > 1) wrong.push(`${name(rung)} is ${rung.offsetHeight} px tall`);

  // Nothing overlaps, nothing leaves the frame, nothing is cut but names in their middle.
  const frames = new Map();
  const clipped = (el) => {
    let [left, top, right, bottom] = box(el);
    for (let on = el.parentElement; on && on !== shell.parentElement; on = on.parentElement) {
      if (!frames.has(on)) frames.set(on, getComputedStyle(on).overflow === "visible" ? null : box(on));
      const outer = frames.get(on);
      if (!outer) continue;
      [left, top, right, bottom] = [Math.max(left, outer[0]), Math.max(top, outer[1]), Math.min(right, outer[2]), Math.min(bottom, outer[3])];
    }
    return right - left > 1 && bottom - top > 1 ? [left, top, right, bottom] : undefined;
  };
  const over = find(".ck-over, .ck-more");
  const scope = over ?? shell;
  const things = all("button, input, select, .ck-score, .ck-tok, .ck-name, .ck-state, .ck-clock, .ck-say", scope).filter(seen);
  const placed = things.flatMap((el) => {
    const at = clipped(el);
    return at ? [[el, at]] : [];
  });
  for (const [index, [el, one]] of placed.entries())
    for (const [other, two] of placed.slice(index + 1)) {
      if (el.contains(other) || other.contains(el)) continue;
      const across = Math.min(one[2], two[2]) - Math.max(one[0], two[0]);
      const down = Math.min(one[3], two[3]) - Math.max(one[1], two[1]);
      if (across > 2 && down > 2) wrong.push(`${name(el)} and ${name(other)} overlap`);
    }
  for (const el of all(".ck-btn, .ck-score, .ck-vital, .ck-state, .ck-clock, .ck-pick, .ck-slot", scope).filter(seen))
    if (el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).display !== "inline") wrong.push(`${name(el)} is cut: ${el.scrollWidth} px in ${el.clientWidth}`);
  for (const el of all(".ck-name > .z").filter(seen)) if (el.scrollWidth > el.clientWidth + 1) wrong.push(`the number of ${name(el)} is cut`);
  if (shell.scrollWidth > shell.clientWidth || shell.scrollHeight > shell.clientHeight) wrong.push("something leaves the frame");

  // One solid button.
  const ink = getComputedStyle(shell).color;
  const solid = all(".ck-btn, .ck-pick.is-main").filter((each) => seen(each) && getComputedStyle(each).backgroundColor === ink);
  const main = find(".ck-ctl > .is-main");
  if (solid.length > 1) wrong.push(`${solid.length} solid buttons: ${solid.map(name).join(", ")}`);
  if (!solid.length && main && !main.ariaDisabled && !main.matches(".is-held")) wrong.push("no solid button");

  // The focus is in the widget.
  if (!shell.contains(document.activeElement)) wrong.push(`the focus is on ${name(document.activeElement)}`);

  // Nothing that stays has moved.
  const stays = { head: ".ck-head .ck-clock", result: ".ck-res", ladder: ".ck-order:not(.is-all)", desk: ".ck-budget", undo: ".ck-undo", main: ".ck-ctl > .is-main", strip: ".ck-strip" };
  const now = Object.fromEntries(Object.entries(stays).flatMap(([id, selector]) => (find(selector) ? [[id, box(find(selector))]] : [])));
  if (grows) now.grew = box(grows);
  const same = before && !now.grew && !before.grew && Boolean(before.strip) === Boolean(now.strip);
  for (const [id, at] of same ? Object.entries(now) : []) {
    const was = before[id];
    // The clock's and the ladder's own size may change: where they begin may not.
    if (was && [0, 1].some((side) => Math.abs(was[side] - at[side]) > 4)) wrong.push(`${id} has moved from ${was} to ${at}`);
  }
  return { wrong: [...new Set(wrong)], now };
};
