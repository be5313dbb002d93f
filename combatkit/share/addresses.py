"""Where a room is: its own address in a network, what it may be called, and whose pages may connect."""

from __future__ import annotations

import socket as sockets
from collections.abc import Iterable
from urllib.parse import urlsplit

import segno

from combatkit.core.plain import is_text, own, short
from combatkit.errors import InvalidInput
from combatkit.share.seats import NAME

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ANY = ("0.0.0.0", "::")
_LOCAL = "127.0.0.1"
"""Where it listens if nothing else is said."""

_ALOUD = (
    "This fight is open to the network: {url}. Whoever has a link can play, and what is sent can be read on the way. "
    "room.close() ends it."
)


def qr_of(url: str) -> list[str]:
    """Return the picture that a phone scans: its rows, of noughts and ones."""
    return ["".join("1" if dark else "0" for dark in row) for row in segno.make(url, micro=False).matrix]


class Addresses:
    """Where a room is to be, checked; where it is, once its port is known.

    Parameters
    ----------
    host, port : str, int
        Where it listens; port 0 is any that is free.
    url : str, optional
        What a proxy makes of it.
    origins : iterable of str
        Whose pages may connect besides its own.

    Attributes
    ----------
    url : str
        Where the page is.
    origins : frozenset of str
        Whose pages may connect.
    notice : str
        What is to be said of that aloud.

    Raises
    ------
    InvalidInput
        If an address is none of http or https, or a host or port can be none.
    """

    def __init__(self, host: str, port: int, url: str | None, origins: Iterable[str]) -> None:
        port = own(port)
        if not is_text(host, NAME) or type(port) is not int or not 0 <= port < 65536:
            raise InvalidInput(f"share: host is {short(host)} and port {short(port)}; give an address and 0 to 65535")
        self.named = named = [origins] if isinstance(origins, str) else [*origins]
        self.host, self.port, self._proxy = host, port, url
        self.origins = frozenset(map(origin_of, named if url is None else [*named, url]))

    def after(self, before: Addresses, port: int) -> Addresses:
        """Return what holds of a room that is open, once this is said of it; what is left unsaid stays as it was.

        Raises
        ------
        InvalidInput
            If it would have to listen elsewhere.
        """
        host = before.host if self.host == _LOCAL else self.host
        if host != before.host or self.port not in (0, port):
            raise InvalidInput(
                f"share: this fight is shared at {before.host}, port {port}, and cannot be elsewhere too; close its "
                "room first (room.close()), and share it anew"
            )
        proxy = before._proxy if self._proxy is None else self._proxy
        now = Addresses(host, port, proxy, self.named or before.named)
        now.settle(port)
        return now

    def settle(self, port: int) -> None:
        """Say where it is, now that it listens at a port."""
        where = own_address() if self.host in _ANY else self.host
        names = {where, self.host, *(_LOOPBACK if self.host in (*_LOOPBACK, *_ANY) else ())}
        self.origins |= {f"http://{_bracketed(name)}:{port}" for name in names}
        self.url = f"http://{_bracketed(where)}:{port}/" if self._proxy is None else f"{self._proxy.rstrip('/')}/"
        self.notice = "" if self.host in _LOOPBACK else _ALOUD.format(url=self.url)


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def origin_of(url: str) -> str:
    """Return the origin of an address.

    Raises
    ------
    InvalidInput
        If it is none of http or https.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InvalidInput(f"share: {url!r} is no address; give one like 'https://table.example/fight/'")
    return f"{parts.scheme}://{parts.netloc}".lower()


def own_address() -> str:
    """Return this machine's address in its network, without a word sent; its own if it has none."""
    with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
