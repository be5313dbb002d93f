"""Has a page kept for visits without a network, by the worker that ``lite/offline.js`` is."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

WORKER = Path(__file__).parents[1] / "lite" / "offline.js"


def keep(page: Path, of: str, files: Iterable[Path]) -> None:
    """Put the worker into a page's folder, and beside it the list of the files that it keeps."""
    listed = page / "files.js"
    kept = sorted({*files} - {listed})
    version = hashlib.sha256(b"".join(file.read_bytes() for file in kept)).hexdigest()[:16]
    names = ["./", *(quote(Path(os.path.relpath(file, page)).as_posix()) for file in kept)]
    said = json.dumps({"of": of, "version": version, "names": names})
    listed.write_text(f"const FILES = {said};\n", encoding="utf-8")
    shutil.copy(WORKER, page)
