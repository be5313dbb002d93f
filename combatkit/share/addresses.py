"""Where a room is: its own address in a network, what it may be called, and whose pages may connect."""

from __future__ import annotations

import socket as sockets
from collections.abc import Iterable
from urllib.parse import urlsplit

from msgspec import Struct

from combatkit.core.plain import is_text, short
from combatkit.errors import InvalidInput
from combatkit.share.seats import NAME

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ANY = ("0.0.0.0", "::")
_ALOUD = (
    "This fight is open to the network: {url}. Whoever has a link can play, and what is sent can be read on the way. "
    "room.close() ends it."
)


class Given(Struct, frozen=True):
    """What is said about a room's addresses, checked.

    Parameters
    ----------
    host, port : str, int
        Where it listens; port 0 is any that is free.
    url : str, optional
        What a proxy makes of it.
    origins : frozenset of str
        Whose pages may connect besides its own.
    """

    host: str
    port: int
    url: str | None
    origins: frozenset[str]

    @classmethod
    def read(cls, host: str, port: int, url: str | None, origins: Iterable[str]) -> Given:
        """Check what was said.

        Raises
        ------
        InvalidInput
            If an address is none of http or https, or a host or port can be none.
        """
        if not is_text(host, NAME) or type(port) is not int or not 0 <= port < 65536:
            raise InvalidInput(f"share: host is {short(host)} and port {short(port)}; give an address and 0 to 65535")
        own = [origins] if isinstance(origins, str) else [*origins]
        return cls(host, port, url, frozenset(origin_of(each) for each in (*own, *([] if url is None else [url]))))

    def at(self, port: int) -> Addresses:
        """Return where a room is that listens at a port."""
        where = own_address() if self.host in _ANY else self.host
        names = {where, self.host, *(_LOOPBACK if self.host in (*_LOOPBACK, *_ANY) else ())}
        own = {f"http://{_bracketed(name)}:{port}" for name in names}
        url = f"{self.url.rstrip('/')}/" if self.url is not None else f"http://{_bracketed(where)}:{port}/"
        notice = "" if self.host in _LOOPBACK else _ALOUD.format(url=url)
        return Addresses(url, self.origins | own, notice)


class Addresses(Struct, frozen=True):
    """Where a room is, whose pages may connect, and what to say of that aloud."""

    url: str
    origins: frozenset[str]
    notice: str


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
