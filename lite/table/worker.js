/** The table's Python: what is clicked goes in, what is to be shown comes out, and the journal stays in the browser. */
const site = await (await fetch("site.json")).json();
/** Files are loaded, these lists of them and of what stands at the table too; then Python starts, and reads what was kept. */
const loads = site.loads + 2;
let done = 0;
const far = () => postMessage({ far: [++done, loads + 2] });
new PerformanceObserver((list) => list.getEntries().forEach(far)).observe({ type: "resource", buffered: true });
const { loadPyodide } = await import(site.pyodide);
const [python, source] = await Promise.all([
  loadPyodide({ lockFileURL: new URL("../static/wheels/pyodide-lock.json", import.meta.url).href, packages: site.packages }),
  (await fetch("table.py")).text(),
]);
far();

/** Waits for the table; it is this tab's then, until it is closed: two would write over each other's evening. */
const take = (how) =>
  new Promise((resolve) => {
    navigator.locks.request("table", how, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    });
  });
if (navigator.locks && !(await take({ ifAvailable: true }))) {
  postMessage({ waits: true });
  await take({});
}

/** Whether the browser keeps what was played; the page is told each time that changes. */
let kept = true;
/** Reads what the browser has kept, or has it keep what there is now. */
async function disk(fill) {
  const wrong = await new Promise((resolve) => python.FS.syncfs(fill, resolve));
  if (kept === !wrong) return;
  kept = !wrong;
  postMessage({ kept });
}

python.FS.mkdirTree("/table");
python.FS.mount(python.FS.filesystems.IDBFS, {}, "/table");
await disk(true);
far();
python.registerJsModule("page", { post: (text) => postMessage(JSON.parse(text)) });
python.runPython(source);
const hear = python.globals.get("hear");

let keeping = Promise.resolve();
onmessage = ({ data }) => {
  hear(JSON.stringify(data));
  keeping = keeping.then(() => disk(false));
};
// The page says what is to come: until here that may be chosen.
postMessage({ hears: true });
