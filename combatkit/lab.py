"""A kernel websocket without Nagle's delay, for JupyterLab.

A click in a widget makes the kernel answer with several small messages. The stock server leaves Nagle's algorithm on,
so the second of them waits for the browser to acknowledge the first, which it puts off for about 40 ms: a click that
takes the kernel a few milliseconds is seen after fifty. The class here turns the algorithm off for kernel websockets
and changes nothing else. ``make demo`` and Binder use it; for a server of your own::

    jupyter lab --ServerApp.kernel_websocket_connection_class=combatkit.lab.NoDelayWebsocketConnection
"""

from __future__ import annotations

import asyncio

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

__all__ = ["NoDelayWebsocketConnection"]


class NoDelayWebsocketConnection(ZMQChannelsWebsocketConnection):
    """The server's own connection between browser and kernel, sending each message at once."""

    # The server's abstract base announces a coroutine, its own connection gives a future: so do we.
    def connect(self) -> asyncio.Future[None] | None:  # type: ignore[override]
        """Turn Nagle's algorithm off, then connect as the server does.

        Returns
        -------
        asyncio.Future or None
            What the server's own ``connect`` gives: a future that resolves once the kernel answers, or None if the
            connection failed.
        """
        self.websocket_handler.set_nodelay(True)
        return super().connect()
