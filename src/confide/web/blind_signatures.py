"""Blind signatures, RSABSSA-SHA384-PSS-Randomized of RFC 9474: what the server does of it.

An invited person's browser has a message signed that the server cannot read, and later shows the
message with its signature: the server can tell that somebody invited sent it, and not who. The
browser's half is ``static/blinding.js``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)
from gmpy2 import powmod, powmod_sec

from confide.errors import ConfideError
from confide.reports.store import Store

BITS = 2048
"""The size of a key: the smallest that RFC 9474 takes, and what a phone's browser takes fast."""

SIGNING_KEY = "signing key"
"""The name of the secret under which a store keeps it."""

_PADDING = padding.PSS(mgf=padding.MGF1(SHA384()), salt_length=SHA384.digest_size)


class BlindMessageError(ConfideError):
    """What was to be signed is no blinded message of this key."""


@dataclass(frozen=True, eq=False)
class SigningKey:
    """The key with which a survey signs for those who are invited.

    Parameters
    ----------
    private : RSAPrivateKey
        The key; its public exponent is 65537.
    """

    private: rsa.RSAPrivateKey

    @classmethod
    def generate(cls) -> Self:
        """Make a new key."""
        return cls(rsa.generate_private_key(65537, BITS))

    @classmethod
    def from_bytes(cls, der: bytes) -> Self:
        """Read a key that `to_bytes` wrote."""
        private = load_der_private_key(der, None)
        assert isinstance(private, rsa.RSAPrivateKey)
        return cls(private)

    def to_bytes(self) -> bytes:
        """Write the key, the secret part too."""
        return self.private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())

    @cached_property
    def _numbers(self) -> rsa.RSAPrivateNumbers:
        return self.private.private_numbers()

    @property
    def _modulus(self) -> int:
        return self._numbers.public_numbers.n

    @property
    def size(self) -> int:
        """How many bytes a message, blinded, and a signature have."""
        return self.private.key_size // 8

    @property
    def public(self) -> str:
        """The public key as a browser takes it: the modulus in hexadecimal digits."""
        return self._modulus.to_bytes(self.size).hex()

    def read_blinded(self, blinded: bytes) -> int:
        """Read what a browser has blinded as a number; refuse what this key cannot sign."""
        message = int.from_bytes(blinded)
        if len(blinded) != self.size or message >= self._modulus:
            raise BlindMessageError(
                f"a blinded message has {self.size} bytes and is below the key's modulus."
            )
        return message

    def sign_blinded(self, blinded: bytes) -> bytes:
        """Sign what a browser has blinded (BlindSign): the same bytes give the same signature."""
        message, key = self.read_blinded(blinded), self._numbers
        # by the Chinese remainder theorem, in a time that does not depend on the key
        first = powmod_sec(message % key.p, key.dmp1, key.p)
        second = powmod_sec(message % key.q, key.dmq1, key.q)
        signed = int(second + key.q * ((first - second) * key.iqmp % key.p))
        if powmod(signed, 65537, self._modulus) != message:
            raise BlindMessageError("signing failed.")  # a wrong one could tell the key
        return signed.to_bytes(self.size)

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Tell whether a message was signed with this key."""
        try:
            self.private.public_key().verify(signature, message, _PADDING, SHA384())
        except InvalidSignature:
            return False
        return True


def load_signing_key(store: Store) -> SigningKey | None:
    """Load the key of a survey by invitation, None for others; the first time it is made."""
    if not store.by_invitation:
        return None
    kept = store.read_secret(SIGNING_KEY)
    if kept is None:
        kept = store.add_secret(SIGNING_KEY, SigningKey.generate().to_bytes())
    return SigningKey.from_bytes(kept)


def find_public_key(store: Store) -> str:
    """Find the public key of a survey by invitation, as its page and its seal have it; else ""."""
    key = load_signing_key(store)
    return key.public if key else ""
