// Adds bytecode to wheels, and puts it in the place of the standard library's source: the browser's Python reads it
// instead of compiling each module as it is first imported. What says how packages are typed that nobody has here, two
// thirds of all files, is left out: unpacking them takes longer than starting Python.
import { loadPyodide } from "pyodide";

const [from, to] = process.argv.slice(2);
const pyodide = await loadPyodide();
for (const [name, folder] of Object.entries({ from, to })) {
  pyodide.FS.mkdirTree(`/${name}`);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, `/${name}`);
}
pyodide.runPython(`
import importlib.util, py_compile, re, zipfile
from pathlib import Path

for archive in sorted(Path("/from").iterdir()):
    is_library = archive.suffix == ".zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(f"/to/{archive.name}", "w", zipfile.ZIP_DEFLATED) as new:
        for each in old.infolist():
            if re.match("jedi/third_party/(django-stubs|typeshed/stubs)/", each.filename):
                continue
            content = old.read(each)
            is_source = each.filename.endswith(".py")
            if not (is_library and is_source):
                new.writestr(each, content, zipfile.ZIP_DEFLATED)
            if is_source:
                Path("/source.py").write_bytes(content)
                mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
                try:
                    py_compile.compile("/source.py", "/code", each.filename, doraise=True, invalidation_mode=mode)
                except py_compile.PyCompileError:
                    continue  # a template, or for another Python
                name = f"{each.filename}c" if is_library else importlib.util.cache_from_source(each.filename)
                new.writestr(zipfile.ZipInfo(name), Path("/code").read_bytes(), zipfile.ZIP_DEFLATED)
`);
