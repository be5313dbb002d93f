"""Where a room is: its own address in a network, what it may be called, and whose pages may connect."""

from __future__ import annotations

import re
import socket as sockets
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]  # it brings none
import segno

from combatkit.core.plain import is_text, own, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.share.seats import NAME

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ANY = ("0.0.0.0", "::")
_ORIGIN = re.compile(r"https?://[\w.:\[\]-]{1,200}", re.ASCII)
"""What is told of an address that is none of ours: it may have been made up to be read."""

_LOCAL = "127.0.0.1"
"""Where it listens if nothing else is said."""

_ALOUD = (
    "This fight is open to the network: {url}. Whoever has a link can play, and what is sent can be read on the way. "
    "room.close() ends it."
)
_ALSO = " This machine is also at {}: the room offers that, if a phone finds nothing there."
_REFUSED = "A page from {} was refused. If you know that address, enc.share(origins={}) lets it in."
_UNWIRED = (
    "A page asked for the table without a WebSocket: a proxy on its way has to pass them (HTTP 1.1, and the headers "
    "Upgrade and Connection)."
)
_ALONE = (
    "This machine is in no network just now: only it can open {url}. Join one, or start a hotspot, and run the cell "
    "again."
)
_VIRTUAL = (
    *("br-", "docker", "lxc", "podman", "ppp", "tailscale", "tap", "tun", "utun"),
    *("vbox", "veth", "vethernet", "virbr", "vmnet", "wg", "zt"),
)
"""How interfaces are called that lead to no network of the house: tunnels, containers, machines in this one."""


@lru_cache(8)
def qr_of(url: str) -> list[str]:
    """Return the picture that a phone scans: its rows, of noughts and ones."""
    return ["".join("1" if dark else "0" for dark in row) for row in segno.make(url, micro=False).matrix]


class Addresses:
    """Where a room is to be, checked; where it is, once its port is known.

    Parameters
    ----------
    host, port : str, int
        Where it listens: without a host only this machine hears, and port 0 is any that is free.
    url : str, optional
        What a proxy makes of it.
    origins : iterable of str, optional
        Whose pages may connect besides its own.

    Attributes
    ----------
    hosts : tuple of str
        The addresses it may be found at, the likely one first.
    host : str
        Where it listens.
    origins : frozenset of str
        Whose pages may connect.
    missed : int
        The port that was asked for, if it was taken; else 0.
    strayed : str
        What became of the last page that could not connect, in words; nothing, if there was none.

    Raises
    ------
    InvalidInput
        If an address is none of http or https, or a host or port can be none.
    """

    hosts: tuple[str, ...] = ()
    missed = 0
    strayed = ""
    _notice = ""
    _where = ""

    def __init__(self, host: str | None, port: int, url: str | None, origins: Iterable[str] | None) -> None:
        port = own(port)
        self._is_left_out = host is None
        host = _LOCAL if host is None else host
        is_host = is_text(host, NAME) and bool(host.strip()) and host.isprintable()
        if not is_host or type(port) is not int or not 0 <= port < 65536:
            raise InvalidInput(f"share: host is {short(host)} and port {short(port)}; give an address and 0 to 65535")
        self.named = [origins] if isinstance(origins, str) else None if origins is None else [*origins]
        self.host, self.port, self._proxy = host, port, url
        self._asked = port
        self.origins = frozenset(map(origin_of, [*(self.named or ()), *([] if url is None else [url])]))

    def after(self, before: Addresses, port: int) -> Addresses:
        """Return what holds of a room that is open, once this is said of it; what is left unsaid stays as it was.

        Raises
        ------
        InvalidInput
            If it would have to listen elsewhere.
        """
        host = before.host if self._is_left_out else self.host
        if host != before.host or self.port not in (0, port, before._asked):
            raise InvalidInput(
                f"share: this fight is shared at {before.host}, port {port}, and cannot be elsewhere too; close its "
                "room first (room.close()), and share it anew"
            )
        now = self._over(before, before._asked)
        now.settle(port)
        return now

    def next_to(self, before: Addresses) -> Addresses:
        """Return where the next fight of the evening is served: where the one before it was, but for what is said."""
        return self._over(before, self._asked or before.port)

    def _over(self, before: Addresses, port: int) -> Addresses:
        """Return what is said here, at a port, and where nothing is, what held before."""
        now = Addresses(
            before.host if self._is_left_out else self.host,
            port,
            before._proxy if self._proxy is None else self._proxy,
            before.named if self.named is None else self.named,
        )
        now._where = before._where
        return now

    def ports(self, before: Iterable[int]) -> tuple[int, ...]:
        """Return where to listen, the best first: where it was asked for, else where it was before.

        A proxy leads nowhere but to the port it was told.
        """
        if not self._asked:
            return tuple(before)
        return (self._asked,) if self._proxy is not None else (self._asked, *before)

    def settle(self, port: int) -> None:
        """Say where it is, now that it listens at a port."""
        found = own_addresses(self.host) if self.host in _ANY else (self.host,)
        self.hosts, self.port = found or (_LOCAL,), port
        names = {*self.hosts, self.host, *(_LOOPBACK if self.host in (*_LOOPBACK, *_ANY) else ())}
        self.origins |= {f"http://{_bracketed(name)}:{port}" for name in names}
        self.choose(self._where if self._where in self.hosts else self.hosts[0])
        if self._asked not in (0, port):
            self.missed = self._asked
        if self._proxy is None and not found:
            self._notice = _ALONE
        elif self.host not in _LOOPBACK:
            self._notice = _ALOUD

    def choose(self, host: str) -> None:
        """Choose which of its addresses is given out.

        Raises
        ------
        UnknownName
            If it is none of them.
        """
        if host not in self.hosts:
            raise UnknownName.of("address", host, self.hosts)
        self._where = host

    @property
    def url(self) -> str:
        """Where the page is."""
        return (
            f"http://{_bracketed(self._where)}:{self.port}/" if self._proxy is None else f"{self._proxy.rstrip('/')}/"
        )

    @property
    def others(self) -> tuple[str, ...]:
        """Where it may be found instead; nowhere, where a proxy says it."""
        return tuple([host for host in self.hosts if host != self._where]) if self._proxy is None else ()

    @property
    def notice(self) -> str:
        """What is to be said of that aloud."""
        also = _ALSO.format(" and ".join(self.others)) if self.others and self._notice else ""
        return self._notice.format(url=self.url) + also

    def refuse(self, origin: str) -> bool:
        """Note that a page could not connect, and say whether that is news; from nowhere, it had no WebSocket."""
        words = _UNWIRED
        if origin:
            if not _ORIGIN.fullmatch(origin):
                return False
            words = _REFUSED.format(origin, [origin])
        is_news, self.strayed = words != self.strayed, words
        return is_news

    def admits(self, origin: str, host: str, reached: str) -> bool:
        """Check whether a page may connect: one of those named, or one that was opened from this very machine.

        Parameters
        ----------
        origin, host : str
            Where the page is from, and where it says it turns to. A page of ours turns to where it is from; one that
            got another's name to lead here does so too, but by a name that is not this machine's.
        reached : str
            The address of this machine that it has come to.
        """
        if origin.lower() in self.origins:
            return True
        name = sockets.gethostname().lower()
        ours = {reached.removeprefix("::ffff:"), *self.hosts, name, f"{name}.local"}
        return origin.lower() == f"http://{host}".lower() and urlsplit(f"//{host}").hostname in ours


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


def own_addresses(host: str) -> tuple[str, ...]:
    """Return this machine's addresses in its networks, the likely one first: none, if it is in no network.

    What leads to the world comes before what does not, and both before tunnels, containers and other machines in this
    one; an address that an interface made up for itself comes last.
    """
    families = (sockets.AF_INET, sockets.AF_INET6) if ":" in host else (sockets.AF_INET,)
    stats, route = psutil.net_if_stats(), _route()
    found = []
    for name, entries in psutil.net_if_addrs().items():
        if name not in stats or not stats[name].isup:
            continue
        virtual = name.lower().startswith(_VIRTUAL)
        for entry in entries:
            address = ip_address(entry.address.partition("%")[0]) if entry.family in families else None
            if address is None or address.is_loopback or (address.version == 6 and address.is_link_local):
                continue
            found.append(((address.is_link_local, virtual, str(address) != route, address.version), str(address)))
    return tuple(dict.fromkeys([address for _, address in sorted(found)]))


def _route() -> str:
    """Return the address from which this machine would send to the world, without a word sent."""
    with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""
