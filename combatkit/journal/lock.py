"""The right to write a file: one process at a time, and a killed process no longer has it."""

from __future__ import annotations

import sys
from io import FileIO
from pathlib import Path
from typing import Any

_FAR = 1 << 40
"""Windows locks bytes, and nobody else may read them then: one that no journal reaches."""


class _Brief(FileIO):
    """A file that is open for writing only while something is written.

    A browser's disk takes a file whole as a writer closes it, whatever others have written in the meantime.
    """

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        with FileIO(self.name, "a") as file:
            done = file.write(data)
        super().__init__(self.name)  # it has been read as it was before
        return done

    def truncate(self, size: int | None = None) -> int:
        with FileIO(self.name, "r+") as file:
            done = file.truncate(size)
        super().__init__(self.name)
        return done


def appended(path: Path) -> FileIO:
    """Open a file to read it and to write at its end, made if it is not there."""
    if sys.platform == "emscripten":
        path.touch()
        return _Brief(path)
    return FileIO(path, "a+")


if sys.platform == "win32":
    import msvcrt

    def lock(file: FileIO) -> bool:
        """Claim a file; False if another process has."""
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(file: FileIO) -> None:
        """Let others claim it."""
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

elif sys.platform == "emscripten":

    def lock(file: FileIO) -> bool:
        """Claim a file: in a browser nothing keeps others from it, but whoever writes sees that it has changed."""
        return True

    def unlock(file: FileIO) -> None:
        """Let others claim it."""

else:
    import fcntl

    def lock(file: FileIO) -> bool:
        """Claim a file; False if another process has."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(file: FileIO) -> None:
        """Let others claim it."""
        fcntl.flock(file, fcntl.LOCK_UN)
