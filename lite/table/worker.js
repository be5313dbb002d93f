/** The table's Python: what is clicked goes in, what is to be shown comes out, and the journal stays in the browser. */
const site = await (await fetch("site.json")).json();
const { loadPyodide } = await import(site.pyodide);
const [python, source] = await Promise.all([
  loadPyodide({ lockFileURL: new URL("../static/wheels/pyodide-lock.json", import.meta.url).href, packages: site.packages }),
  (await fetch("table.py")).text(),
]);
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
