"""The right to write a file: one process at a time, and a killed process no longer has it."""

from __future__ import annotations

import os
import sys
from io import FileIO

_FAR = 1 << 40
"""Windows locks bytes, and nobody else may read them then: one that no journal reaches."""

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
        """Claim a file: in a browser nobody else can have it."""
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


def keep(file: FileIO, *, now: bool) -> None:
    """Bring what was written to the disk; that of a site in a browser takes it only as the file is closed."""
    if sys.platform == "emscripten":
        name, mode = file.name, file.mode
        file.close()
        FileIO.__init__(file, name, mode)
    elif now:
        os.fsync(file.fileno())
