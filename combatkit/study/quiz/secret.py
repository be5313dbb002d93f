"""A key to a quiz: from a secret a code is made that tells nothing of it, and that the secret alone fits."""

from __future__ import annotations

import hmac
import secrets

from combatkit.core.plain import short
from combatkit.errors import InvalidInput

_ROUNDS = 100_000
"""How often the secret is gone over: whoever tries words one by one waits as often."""

_DRAW, _SALT, _DIGEST = 2, 8, 16
"""How many bytes of a code are made for its questions, how many it begins with, the rest drawn, and how many follow."""

_ASKS = b"what is asked"
"""What the secret is gone over with for its questions: the same each time, so that they are."""


def code_of(secret: object) -> str:
    """Return a code for a secret; another one each time, but for what the questions are drawn by.

    Examples
    --------
    >>> code = code_of("owl")
    >>> len(code), fits("owl", code), fits("crow", code)
    (48, True, False)
    >>> drawn_by(code) == drawn_by(code_of("owl"))
    True
    """
    secret = check_secret(secret)
    salt = _digest(secret, _ASKS)[:_DRAW] + secrets.token_bytes(_SALT - _DRAW)
    return (salt + _digest(secret, salt)).hex()


def drawn_by(code: str) -> str:
    """Return what of a code its questions are drawn by: the same for all codes of a secret."""
    return code[: 2 * _DRAW]


def check_secret(secret: object) -> str:
    """Return a secret if it can be one, or refuse."""
    if not isinstance(secret, str) or not secret:
        raise InvalidInput(f"quiz: secret is {short(secret)}; give words that only you know")
    return secret


def fits(secret: object, code: str) -> bool:
    """Check whether a code was made from a secret."""
    whole = bytes.fromhex(code)
    found = _digest(secret, whole[:_SALT]) if isinstance(secret, str) and secret else b""
    return hmac.compare_digest(found, whole[_SALT:])


def check_code(code: object) -> str:
    """Return a code if it can be one, or refuse."""
    text = code.strip().lower() if isinstance(code, str) else ""
    if len(text) != 2 * (_SALT + _DIGEST) or not set(text) <= set("0123456789abcdef"):
        raise InvalidInput(f"quiz: code is {short(code)}; give what quiz.code is where you made it with your secret")
    return text


def _digest(secret: str, salt: bytes) -> bytes:
    """Return PBKDF2 over HMAC-SHA-256, which a browser's Python has no other module for."""
    try:
        from hashlib import pbkdf2_hmac
    except ImportError:
        return _slowly(secret.encode(), salt)
    return pbkdf2_hmac("sha256", secret.encode(), salt, _ROUNDS, _DIGEST)


def _slowly(secret: bytes, salt: bytes) -> bytes:
    """Return the same, step by step."""
    block = hmac.digest(secret, salt + b"\0\0\0\1", "sha256")
    whole = int.from_bytes(block)
    for _ in range(_ROUNDS - 1):
        block = hmac.digest(secret, block, "sha256")
        whole ^= int.from_bytes(block)
    return whole.to_bytes(32)[:_DIGEST]
