// Adds bytecode to wheels: the browser's Python reads it instead of compiling each module as it is first imported.
import { loadPyodide } from "pyodide";

const [from, to] = process.argv.slice(2);
const pyodide = await loadPyodide();
for (const [name, folder] of Object.entries({ from, to })) {
  pyodide.FS.mkdirTree(`/${name}`);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, `/${name}`);
}
pyodide.runPython(`
import importlib.util, py_compile, zipfile
from pathlib import Path

for wheel in sorted(Path("/from").glob("*.whl")):
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(f"/to/{wheel.name}", "w", zipfile.ZIP_DEFLATED) as new:
        for each in old.infolist():
            content = old.read(each)
            new.writestr(each, content, zipfile.ZIP_DEFLATED)
            if each.filename.endswith(".py"):
                Path("/source.py").write_bytes(content)
                mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
                try:
                    py_compile.compile("/source.py", "/code", each.filename, doraise=True, invalidation_mode=mode)
                except py_compile.PyCompileError:
                    continue  # a template, or for another Python
                kept = zipfile.ZipInfo(importlib.util.cache_from_source(each.filename))
                new.writestr(kept, Path("/code").read_bytes(), zipfile.ZIP_DEFLATED)
`);
