"""Click to painted frame in JupyterLab, beside a bare anywidget counter in the same page."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, sync_playwright

from benchmarks import pairs
from benchmarks.pairs import summary, verdict
from tests.browser.harness import CHROMIUM_FLAGS, LabPage, find_chromium
from tests.browser.servers import NO_DELAY, JupyterServer, run_jupyter

COUNTS = (8, 200)
LENGTHS = (10, 10_000)
CLICKS = 30
ENOUGH = 210
"""After so many seconds no more pairs are begun: all of it ends within five minutes."""

SMALLEST = {"COUNTS": (8,), "LENGTHS": (10,), "CLICKS": 2}
STOCK_P95 = 1.2
FAST_P50 = 0.5
CROWDED = 1.5

# A round trip like the Tracker's: the click goes to Python, Python's answer is what is shown.
COUNTER = '''
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = """
    export default {
      render({ model, el, signal }) {
        const button = document.createElement("button");
        button.className = "bench-counter";
        const show = () => (button.textContent = String(model.get("value")));
        button.addEventListener("click", () => model.send({ kind: "more" }), { signal });
        model.on("change:value", show);
        show();
        el.append(button);
      },
    };
    """
    value = traitlets.Int(0).tag(sync=True)

    def __init__(self):
        super().__init__()
        self.on_msg(self._more)

    def _more(self, _widget, content, _buffers):
        self.value += 1

Counter()
'''

TRACKER = """
import combatkit as ck

enc = ck.Encounter("saga", seed=7)
for n in range(-(-{count} // 100)):
    enc.add(f"Fighter {{n}}", side="rebels", count=min({count}, 100), dex=2, level=5, hp=30)
enc.start()
while enc.history.events.height < {events}:
    for _ in range(50 if {events} > 1000 else 0):
        enc.end_turn()
    enc.end_turn()
ck.Tracker(enc)
"""

# The clock starts at the click and stops when the frame that shows the answer has been painted. Frames run all the
# while; a task queued from within one runs after it has been painted, whether the answer was drawn in the frame itself
# or in a task before it.
MEASURE = """async ([button, shown, clicks]) => {
  const text = () => document.querySelector(shown)?.textContent;
  let before, painted;
  let answered = false;
  const observer = new MutationObserver(() => (answered ||= text() !== before));
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  const after = new MessageChannel();
  after.port1.onmessage = () => {
    if (answered && painted) { const done = painted; painted = undefined; done(performance.now()); }
  };
  let running = true;
  const frame = () => {
    after.port2.postMessage(0);
    if (running) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const times = [];
  for (let i = 0; i < clicks; i++) {
    // A pause of its own length each time, so that clicks fall anywhere between two frames.
    await new Promise(done => setTimeout(done, 30 + 7 * (i % 5)));
    before = text();
    answered = false;
    const began = performance.now();
    const shownAt = new Promise(done => (painted = done));
    document.querySelector(button).click();
    times.push((await shownAt) - began);
  }
  running = false;
  observer.disconnect();
  return times;
}"""

COUNTER_AT = (".bench-counter", ".bench-counter")
TRACKER_AT = (".ck .ck-btn.is-main", '.ck [aria-current="true"] .ck-name')


@dataclass(frozen=True)
class Blocks:
    """Blocks of clicks: the median block's p50 and p95, and the spread of each."""

    p50: list[float]
    p95: list[float]

    def add(self, times: list[float]) -> None:
        """Take in one block."""
        self.p50.append(median(times))
        self.p95.append(quantiles(times, n=20)[-1])

    def __str__(self) -> str:
        spread = f"p50 {min(self.p50):.0f} to {max(self.p50):.0f}, p95 {min(self.p95):.0f} to {max(self.p95):.0f}"
        return f"p50 {median(self.p50):.0f} ms, p95 {median(self.p95):.0f} ms ({spread}, {len(self.p50)} blocks)"


class Case:
    """One page: a counter and a Tracker, and what their clicks took."""

    def __init__(self, browser: Browser, server: JupyterServer, count: int, events: int) -> None:
        self.count, self.events = count, events
        self.counter, self.tracker = Blocks([], []), Blocks([], [])
        self.lab = LabPage(browser.new_page(viewport={"width": 1200, "height": 900}), server)
        self.lab.open([COUNTER, TRACKER.format(count=count, events=events)])
        self.lab.run_all()
        self.lab.page.wait_for_selector(TRACKER_AT[1])

    def block(self, *, beside: bool) -> None:
        """Click the Tracker, a block, and the counter `beside` it before that."""
        self.lab.page.bring_to_front()
        if beside:
            self.counter.add(self.lab.page.evaluate(MEASURE, [*COUNTER_AT, CLICKS]))
        self.tracker.add(self.lab.page.evaluate(MEASURE, [*TRACKER_AT, CLICKS]))


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser that clicks."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=find_chromium(playwright.chromium.executable_path), args=CHROMIUM_FLAGS
        )
        yield running
        running.close()


def run() -> Iterator[str]:
    """Measure and give the lines to print, as it goes."""
    began = time.monotonic()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        browser = stack.enter_context(chromium())
        stock = stack.enter_context(run_jupyter(home / "stock"))
        fast = stack.enter_context(run_jupyter(home / "fast", connection=NO_DELAY))
        on_stock, on_fast = list[Case](), list[Case]()
        for count, events in ((count, events) for count in COUNTS for events in LENGTHS):
            on_stock.append(Case(browser, stock, count, events))
            on_fast.append(Case(browser, fast, count, events))
            yield f"      {count} combatants, {events:,} events: open on both servers, {_since(began)}"
        for pair in range(pairs.PAIRS):
            if pair and time.monotonic() - began > ENOUGH:
                break
            for case in on_stock:
                case.block(beside=True)
            for case in on_fast:
                case.block(beside=False)
            yield f"      pair {pair + 1} of {pairs.PAIRS}, {_since(began)}"
        yield from _stock_lines(on_stock)
        yield from _fast_lines(on_stock, on_fast)
        yield from _crowd_lines(on_fast)


def _since(began: float) -> str:
    return f"after {time.monotonic() - began:.0f} s"


def _stock_lines(cases: list[Case]) -> Iterator[str]:
    for case in cases:
        ratio = summary([one / other for one, other in zip(case.tracker.p95, case.counter.p95, strict=True)])
        name = f"(b) stock server, {case.count} combatants, {case.events:,} events: p95 over the counter's"
        yield verdict(name, ratio, at_most=STOCK_P95)
        yield f"      tracker {case.tracker}\n      counter {case.counter}"


def _fast_lines(stock: list[Case], cases: list[Case]) -> Iterator[str]:
    for peer, case in zip(stock, cases, strict=True):
        ratio = summary([one / other for one, other in zip(case.tracker.p50, peer.counter.p50, strict=True)])
        name = f"(b) no-delay server, {case.count} combatants, {case.events:,} events: p50 over the stock counter's"
        yield verdict(name, ratio, at_most=FAST_P50)
        yield f"      tracker {case.tracker}"


def _crowd_lines(cases: list[Case]) -> Iterator[str]:
    few = {case.events: case for case in cases if case.count == min(COUNTS)}
    for case in cases:
        if case.count == min(COUNTS):
            continue
        least = few[case.events]
        ratio = summary([one / other for one, other in zip(case.tracker.p50, least.tracker.p50, strict=True)])
        yield verdict(
            f"(b) {case.count} combatants over {least.count}, {case.events:,} events: p50", ratio, at_most=CROWDED
        )
