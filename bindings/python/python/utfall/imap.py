"""Names of IMAP mailboxes, in their modified UTF-7 (RFC 3501).

>>> from utfall import imap
>>> imap.encode("Entwürfe")
b'Entw&APw-rfe'
>>> imap.decode(b"Entw&APw-rfe")
'Entwürfe'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _utfall

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["canonical", "decode", "encode"]


def encode(name: str) -> bytes:
    """Encode a name. Lone surrogates raise EncodeError.

    >>> from utfall import imap
    >>> imap.encode("Tom & Jerry")
    b'Tom &- Jerry'
    """
    return _utfall.encode(name, "UTF-7-IMAP")


def decode(name: ReadableBuffer | str, errors: str = "strict") -> str:
    """Decode a name, as bytes or as a str of US-ASCII. A name that RFC 3501 does not allow raises DecodeError.

    >>> from utfall import imap
    >>> imap.decode("&ZeVnLIqe-")
    '日本語'
    """
    data = name.encode("utf-8", "surrogatepass") if isinstance(name, str) else name
    return _utfall.decode(data, "UTF-7-IMAP", errors)


def canonical(name: ReadableBuffer | str) -> bytes | None:
    """The only spelling that RFC 3501 allows for a name; None if no spelling can express it.

    Two names that servers treat as one mailbox have the same canonical name.

    >>> from utfall import imap
    >>> imap.canonical("Entw&APw-&AHI-fe")
    b'Entw&APw-rfe'
    """
    data = name.encode("utf-8", "surrogatepass") if isinstance(name, str) else bytes(name)
    found = _utfall.imap_canonical(data)
    return None if found is None else found.encode("ascii")
