"""Where phones find a room: every address of the machine is offered, and a page opened by any of them connects."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from combatkit.errors import InvalidInput
from combatkit.share import addresses
from combatkit.share.addresses import own_addresses
from combatkit.share.panel import RoomPanel
from combatkit.share.room import _open
from tests.share_client import Page
from tests.test_share import begun

Nets = dict[str, tuple[bool, list[str]]]
HOME: Nets = {
    "lo": (True, ["127.0.0.1"]),
    "docker0": (True, ["172.17.0.1"]),
    "eth1": (False, ["10.9.9.9"]),
    "tun0": (True, ["10.8.0.2"]),
    "eth0": (True, ["169.254.7.7"]),
    "wlan0": (True, ["192.168.1.20", "fe80::1%wlan0", "fd00::2"]),
}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    def be(nets: Nets, route: str = "") -> None:
        """Let the machine be in some networks."""
        found = {
            name: [
                SimpleNamespace(family=socket.AF_INET6 if ":" in each else socket.AF_INET, address=each) for each in has
            ]
            for name, (_, has) in nets.items()
        }
        monkeypatch.setattr("psutil.net_if_addrs", lambda: found)
        monkeypatch.setattr(
            "psutil.net_if_stats", lambda: {name: SimpleNamespace(isup=is_up) for name, (is_up, _) in nets.items()}
        )
        monkeypatch.setattr(addresses, "_route", lambda: route)

    return be


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    for room in [*_open]:
        room.close()


@pytest.mark.parametrize("route", ["", "10.8.0.2", "192.168.1.20"])
def test_every_address_is_offered_the_likely_one_first(machine: Any, route: str) -> None:
    machine(HOME, route)
    made = ("10.8.0.2", "172.17.0.1")
    assert own_addresses("0.0.0.0") == ("192.168.1.20", *made, "169.254.7.7")
    assert own_addresses("::") == ("192.168.1.20", "fd00::2", *made, "169.254.7.7")


def test_the_others_are_a_click_away_and_every_link_names_the_one_chosen(machine: Any) -> None:
    machine(HOME)
    enc = begun()
    room = enc.share(host="0.0.0.0")
    anna = room.seat("Anna", plays=["Mara"])
    panel: Any = RoomPanel(room)
    assert room.url == panel.view["url"] == f"http://192.168.1.20:{room.port}/"
    assert panel.view["elsewhere"] == ["10.8.0.2", "172.17.0.1", "169.254.7.7"]
    assert "This machine is also at 10.8.0.2 and 172.17.0.1 and 169.254.7.7" in room.notice
    assert panel._answer({"kind": "address", "host": "10.8.0.2", "id": 1}) is None
    assert room.url == room.join["url"] == panel.view["url"] == f"http://10.8.0.2:{room.port}/"
    assert room.seat("Anna").url == anna.url.replace("192.168.1.20", "10.8.0.2")
    assert panel._answer({"kind": "link", "seat": "Anna", "id": 2})["url"].startswith(room.url)
    assert panel._answer({"kind": "address", "host": "10.9.9.9", "id": 3})["kind"] == "refused"
    enc.share(host="0.0.0.0")
    assert room.url.startswith("http://10.8.0.2:"), "the cell run again leaves what was chosen"
    machine({"wlan0": (True, ["192.168.7.7"])})
    enc.share(host="0.0.0.0")
    assert room.url.startswith("http://192.168.7.7:"), "another network is noticed with it"


def test_in_no_network_the_notice_says_that(machine: Any, capsys: pytest.CaptureFixture[str]) -> None:
    machine({"lo": (True, ["127.0.0.1"]), "wlan0": (False, ["192.168.1.20"])})
    room = begun().share(host="0.0.0.0")
    assert room.notice == capsys.readouterr().out.strip()
    assert room.notice.startswith("This machine is in no network just now: only it can open http://127.0.0.1:")
    assert room.elsewhere == ()


def test_whoever_is_given_an_address_of_either_kind_is_heard(machine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(HOME)
    asked: list[Any] = []

    def serve(address: tuple[str, int], **how: Any) -> socket.socket:
        asked.append((address[0], how["family"], how["dualstack_ipv6"]))
        return real(("127.0.0.1", 0))

    real = socket.create_server
    monkeypatch.setattr(socket, "create_server", serve)
    room = begun().share(host="::")
    assert (room.url, room.elsewhere[0]) == (f"http://192.168.1.20:{room.port}/", "fd00::2")
    assert asked == [("::", socket.AF_INET6, socket.has_dualstack_ipv6())]


@pytest.mark.parametrize("host", ["", " ", "a\0b"])
def test_a_host_that_is_nothing_to_be_typed_is_refused(host: str) -> None:
    with pytest.raises(InvalidInput, match=r"share: host is .* give an address"):
        begun().share(host=host)


def test_a_host_that_is_not_this_machines_is_refused_with_what_is() -> None:
    with pytest.raises(InvalidInput, match=r"cannot be had \([^()]+\); give one of this machine's addresses, or '0"):
        begun().share(host="198.51.100.7")


def opened(port: int, origin: str, host: str, token: str) -> str:
    """Connect as a page of some origin does that turns to some host; give what it hears first."""
    with (
        socket.create_connection(("127.0.0.1", port)) as line,
        connect(f"ws://{host}/wire", sock=line, origin=Origin(origin), max_size=None) as page,
    ):
        page.send(f'{{"kind": "hello", "token": "{token}"}}')
        return str(page.recv(20))


def test_a_page_opened_by_any_address_of_ours_connects_and_no_other(machine: Any) -> None:
    machine(HOME)
    room = begun().share(host="0.0.0.0")
    port, token = room.port, room.seat("Anna", plays=["Mara"]).url.partition("#")[2]
    name = socket.gethostname()
    for host in ("192.168.1.20", "10.8.0.2", "127.0.0.1", "localhost", name, f"{name}.local"):
        assert '"welcome"' in opened(port, f"http://{host}:{port}", f"{host}:{port}", token)
    wrong = [
        (f"http://evil.example:{port}", f"evil.example:{port}"),  # a name that was turned to here
        (f"http://10.9.9.9:{port}", f"10.9.9.9:{port}"),
        ("http://evil.example", f"192.168.1.20:{port}"),
        (f"https://192.168.1.20:{port}", f"192.168.1.20:{port}"),
        ("null", f"192.168.1.20:{port}"),
        (f"http://x@192.168.1.20:{port}", f"192.168.1.20:{port}"),
    ]
    for origin, host in wrong:
        with pytest.raises(InvalidStatus, match="403"):
            opened(port, origin, host, token)


def test_the_room_says_which_page_was_refused_and_what_lets_it_in() -> None:
    room = begun().share()
    panel = RoomPanel(room)
    token = room.seat("Anna", plays=["Mara"]).url.partition("#")[2]
    for origin in ("null", "ftp://evil.example", "http://evil.example, call me", "http://" + 300 * "x"):
        with pytest.raises(InvalidStatus, match="403"):
            opened(room.port, origin, f"127.0.0.1:{room.port}", token)
        assert room.notice == ""
    with pytest.raises(InvalidStatus, match="403"):
        opened(room.port, "https://table.example", f"127.0.0.1:{room.port}", token)
    panel.look_again()
    assert panel.view["notice"].startswith("A page from https://table.example was refused.")
    assert "enc.share(origins=['https://table.example']) lets it in" in panel.view["notice"]
    assert room.encounter.share(origins=["https://table.example"]).notice == ""
    assert '"welcome"' in opened(room.port, "https://table.example", f"127.0.0.1:{room.port}", token)


def test_a_proxy_that_passes_no_websocket_is_said() -> None:
    room = begun().share()
    with pytest.raises(HTTPError, match="426"):
        urlopen(f"{room.url}wire")
    assert room.notice.startswith("A page asked for the table without a WebSocket: a proxy")


def test_an_address_that_came_later_connects_by_where_it_has_come_to(machine: Any) -> None:
    machine({"wlan0": (True, ["192.168.1.20"])})
    room = begun().share(host="0.0.0.0")
    assert room._addresses.admits("http://10.0.0.5:81", "10.0.0.5:81", "::ffff:10.0.0.5")
    assert not room._addresses.admits("http://10.0.0.5:81", "10.0.0.5:81", "192.168.1.20")
    with Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
