/**
 * Looks at everything that is drawn, and gives what has no name, is cut or is covered, in words.
 *
 * A log line, and what can be read whole in its title, may end in an ellipsis; so may the result, which a tap shows whole.
 *
 * @param {Element} root
 */
(root) => {
  const wrong = [];
  const shown = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !el.closest(".ck-sr");
  const words = (el) => (el.ariaLabel ?? el.innerText ?? "").replace(/\s+/g, " ").trim();
  const called = (el) => `${el.localName}.${[...el.classList].join(".")} "${(words(el) || el.name || el.placeholder || "").slice(0, 40)}"`;
  const controls = [...root.querySelectorAll("button, input, select, textarea, summary, a[href]")].filter(shown);

  // Whatever is pressed or filled in has a name.
  const nameOf = (el) => el.ariaLabel || words(el).replace("[object Object]", "") || [...(el.labels ?? [])].map(words).join(" ") || el.title || (el.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => words(document.getElementById(id) ?? {})).join(" ");
  for (const el of controls) if (!/[\p{L}\p{N}?+−\-§]/u.test(nameOf(el)) && !/\[object/.test(el.innerText)) wrong.push(`no name: ${called(el)} in ${called(el.parentElement)}`);

  /** What cuts something off, from within outwards: what scrolls does not, in its own way. */
  const edges = (el, isText) => {
    const [edge, none] = [document.documentElement.clientWidth, Infinity];
    let [left, top, right, bottom] = [-none, -none, none, none];
    const scrolls = { x: false, y: false };
    for (let on = isText ? el : el.parentElement; on && on !== document.documentElement; on = on.parentElement) {
      const { overflowX, overflowY, display } = getComputedStyle(on);
      if (display === "contents" || display === "inline") continue;
      const box = on.getBoundingClientRect();
      // What is beyond the edge of what scrolls can be scrolled to, whatever is around that.
      scrolls.x ||= /auto|scroll/.test(overflowX) && on.scrollWidth > on.clientWidth + 1;
      scrolls.y ||= /auto|scroll/.test(overflowY) && on.scrollHeight > on.clientHeight + 1;
      if (overflowX !== "visible" && !scrolls.x) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (overflowY !== "visible" && !scrolls.y) [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return scrolls.x ? { left, top, right, bottom } : { left: Math.max(left, 0), top, right: Math.min(right, edge), bottom };
  };
  const mayEnd = (el) => {
    const line = el.closest(".ck-line .txt, .ck-say, .ck-fold .t, .ck-turn, .ck-sub, .ck-chips, .ck-cap, .ck-name .h, .ck-mem small, summary, small");
    if (!line) return false;
    return Boolean(line.closest(".ck-line, .ck-say, .ck-fold, .ck-name, .ck-mem, summary") || line.closest("[title], [aria-label]"));
  };
  const seen = new Set();
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const el = node.parentElement;
    if (!node.data.trim() || !shown(el) || el.closest("option, svg, noscript, script")) continue;
    const range = new Range();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    const at = edges(el, true);
    for (const rect of rects) {
      const over = Math.max(at.left - rect.left, rect.right - at.right);
      const under = Math.max(at.top - rect.top, rect.bottom - at.bottom);
      // A line is as high as its letters: what its box has above and below them is empty.
      if (over > 1 || under > 5) {
        if (over > 1 && under <= 5 && mayEnd(el)) continue;
        if (under > 5 && el.closest(".ck-res[tabindex] .ck-say")) continue;
        // What has no room in these wraps out of sight, as a whole.
        if (el.closest(".scr-log") && (rect.left >= at.right - 1 || rect.top >= at.bottom - 1)) continue;
        if (under > 5 && el.closest(".ck-sub, .ck-chips, .ck-turn small") && el.closest("[title], .ck-turn")) continue;
        const key = `cut: ${called(el)} "${node.data.trim().slice(0, 30)}" by ${Math.round(Math.max(over, under))} px`;
        if (!seen.has(el)) wrong.push(key);
        seen.add(el);
      }
    }
  }
  for (const el of controls) {
    // What stands in a field.
    if (el.matches("input:not([type=checkbox], [type=radio], [type=range], [type=file]), textarea") && el.scrollWidth > el.clientWidth + 1 && el.value && /^[\d+−-]*$/.test(el.value)) wrong.push(`cut: the number in ${called(el)}`);
    // What is pressed is not cut off, and nothing lies on it.
    el.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = el.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    if (box.right > document.documentElement.clientWidth + 1 || box.left < -1) wrong.push(`out of the window: ${called(el)}`);
    const { left, top, right, bottom } = edges(el, false);
    if (Math.max(left - box.left, box.right - right) > 2 || Math.max(top - box.top, box.bottom - bottom) > 2) wrong.push(`cut: ${called(el)}`);
    const inside = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.2, 0.8].map((y) => [box.left + box.width * x, box.top + box.height * y]));
    for (const [x, y] of inside) {
      const on = document.elementFromPoint(x, y);
      if (!on || el.contains(on) || on.contains(el) || [...(el.labels ?? [])].some((each) => each.contains(on))) continue;
      if (on.closest(".ck-find > .ck-k, .ck-find > small")) continue;
      wrong.push(`covered: ${called(el)} by ${called(on)}`);
      break;
    }
  }
  return [...new Set(wrong)];
}
