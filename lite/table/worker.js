/** The table's Python: what is clicked goes in, what is to be shown comes out, and the journal stays in the browser. */
const site = await (await fetch("site.json")).json();
const { loadPyodide } = await import(site.pyodide);
const [python, source] = await Promise.all([
  loadPyodide({ lockFileURL: new URL("../static/wheels/pyodide-lock.json", import.meta.url).href, packages: site.packages }),
  (await fetch("table.py")).text(),
]);

/** Waits for the table; it is this tab's then, until it is closed: two would write over each other's evening. */
const take = (how) =>
  new Promise((resolve) => {
    navigator.locks.request("table", how, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    });
  });
if (navigator.locks && !(await take({ ifAvailable: true }))) {
  postMessage({ said: "The table is open in another tab. Close it there, and it goes on here." });
  await take({});
}

const disk = (fill) => new Promise((resolve) => python.FS.syncfs(fill, resolve));

python.FS.mkdirTree("/table");
python.FS.mount(python.FS.filesystems.IDBFS, {}, "/table");
await disk(true);
python.registerJsModule("page", { post: (text) => postMessage(JSON.parse(text)) });
python.runPython(source);
const hear = python.globals.get("hear");

let keeping = Promise.resolve();
onmessage = ({ data }) => {
  hear(JSON.stringify(data));
  keeping = keeping.then(() => disk(false));
};
onmessage({ data: { begin: null } });
