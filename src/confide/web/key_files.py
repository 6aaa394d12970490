"""The key that signs tickets in a file of its own, since no copy of a database holds it.

With it a restored survey has the seal that it had, and links that were sent stay good.
"""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from confide.errors import ConfideError
from confide.files import open_private
from confide.reports.store import Store
from confide.web.blind_signatures import BITS, SIGNING_KEY, SigningKey, load_signing_key


def write_key_file(store: Store, path: Path) -> None:
    """Write the key of a survey by invitation to a new file that only its owner reads."""
    key = load_signing_key(store)
    if key is None:
        raise ConfideError("the survey has no key: everyone can report. Leave --key out.")
    pem = key.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with open(path, "xb", opener=open_private) as file:
            file.write(_name_survey(store) + pem)
    except OSError as error:
        raise ConfideError(f"cannot write {path}: {error.strerror}.") from None


def read_key_file(path: Path, store: Store) -> SigningKey:
    """Read a key that `write_key_file` wrote for the survey of a store, and for no other one.

    With one key for two surveys an invitation to the one would admit a report to the other.
    """
    try:
        held = path.read_bytes()
    except OSError as error:
        raise ConfideError(f"cannot read {path}: {error.strerror}.") from None
    survey, pem = held[: len(_name_survey(store))], held[len(_name_survey(store)) :]
    try:
        key = load_pem_private_key(pem, None)
    except (ValueError, TypeError):
        raise ConfideError(f"{path} holds no key that `confide backup --key` wrote.") from None
    if not isinstance(key, rsa.RSAPrivateKey) or key.key_size != BITS:
        raise ConfideError(f"a key that signs tickets is of RSA with {BITS} bits: {path} is not.")
    if survey != _name_survey(store):
        raise ConfideError(f"{path} is the key of another survey. Give that of this one.")
    return SigningKey(key)


def put_key(store: Store, path: Path) -> None:
    """Give a new store the key that a file holds."""
    if not store.by_invitation:
        raise ConfideError("the survey takes no key: everyone can report. Leave --key out.")
    key = read_key_file(path, store).to_bytes()
    if store.add_secret(SIGNING_KEY, key) != key:
        raise ConfideError("the database has another key already. Use a new one.")


def _name_survey(store: Store) -> bytes:
    return f"survey {store.design.fingerprint}\n".encode()
