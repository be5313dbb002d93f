// Prints where Python's time goes before the first widget: in node, with the files that a browser gets.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { loadPyodide } from "pyodide";

let then = performance.now();
const said = (what) => {
  const now = performance.now();
  console.log(`${what}: ${((now - then) / 1000).toFixed(1)} s`);
  then = now;
};

const folder = process.argv[2];
const python = await loadPyodide({ stdLibURL: join(folder, "pyodide", "python_stdlib.zip") });
said("start Python");
const wheels = join(folder, "wheels");
for (const name of readdirSync(wheels).filter((each) => each.endsWith(".whl")))
  python.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "wheel");
said("unpack wheels");
for (const name of ["combatkit", "IPython", "ipywidgets", "anywidget", "combatkit.widgets"]) {
  python.runPython(`import ${name}`);
  said(`import ${name}`);
}
python.runPython(`import combatkit as ck; ck.Tracker(ck.scene("catwalk").encounter("d6", seed=7))`);
said("make a Tracker");
