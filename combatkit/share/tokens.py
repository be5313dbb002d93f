"""What lets somebody in: a token for each seat, and codes that are typed once."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping
from hashlib import sha256
from typing import TypeVar

_BYTES = 16
"""A token has 128 bits."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""What codes are made of: nothing that is read as something else."""

_LENGTH = 8
_MINUTES = 5
_TRIES = 5

T = TypeVar("T")


def mint() -> str:
    """Return a new token, fit for a link."""
    return secrets.token_urlsafe(_BYTES)


def digest_of(token: str) -> str:
    """Return what may be kept of a token."""
    return sha256(token.encode()).hexdigest()


def owner_of(token: object, digests: Mapping[str, str]) -> str | None:
    """Return whose a token is, by the digests kept; it takes as long for a wrong one as for a right one."""
    if not isinstance(token, str) or len(token) > 200:
        return None
    found, given = None, digest_of(token.encode("utf-8", "replace").decode("utf-8"))
    for name, digest in digests.items():
        if hmac.compare_digest(given, digest):
            found = name
    return found


class Codes:
    """Codes by which a seat is taken without its link: each is good once, for five minutes and five tries.

    Attributes
    ----------
    used : set of str
        The seats whose last code has been used: the link that was shown with it is dead.
    """

    def __init__(self) -> None:
        self._codes: dict[str, tuple[str, float, int]] = {}
        self.used: set[str] = set()

    def make(self, seat: str) -> str:
        """Return a new code for a seat; an older one is good no more."""
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        self._codes[seat] = (code, time.monotonic() + 60 * _MINUTES, _TRIES)
        self.used.discard(seat)
        return f"{code[:4]}-{code[4:]}"

    def take(self, typed: object) -> str | None:
        """Return the seat a code is for, and let it be good no more; a wrong one counts as a try at all there are."""
        given = "".join(str(typed)[:40].upper().split()).replace("-", "")
        now, found = time.monotonic(), None
        for seat, (code, until, left) in list(self._codes.items()):
            good = hmac.compare_digest(given.encode("utf-8", "replace"), code.encode())
            self._codes[seat] = (code, until, left - 1)
            if now > until or good or left == 1:
                del self._codes[seat]
            if good and now <= until:
                found = seat
        if found is not None:
            self.used.add(found)
        return found

    def drop(self, seat: str) -> None:
        """Let the code of a seat be good no more."""
        self._codes.pop(seat, None)
        self.used.discard(seat)
