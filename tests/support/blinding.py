"""An invited person's browser in Python: RSABSSA-SHA384-PSS-Randomized of RFC 9474, the other half.

Written from RFC 9474 and RFC 8017 and not from the page's script, for which it is an oracle.
"""

import hashlib
import json
import secrets
from dataclasses import dataclass
from math import gcd

from confide.reports.wire import Report, receipt_id, write_report

EXPONENT = 65537
HASH = 48  # bytes of SHA-384, and of the salt


def prepare(message):
    """Random bytes before what is to be signed."""
    return secrets.token_bytes(32) + message


def mask(seed, length):
    """MGF1 of RFC 8017."""
    rounds = range(-(-length // HASH))
    found = b"".join(hashlib.sha384(seed + i.to_bytes(4)).digest() for i in rounds)
    return found[:length]


def encode(message, bits, salt):
    """EMSA-PSS-ENCODE of RFC 8017."""
    length = -(-bits // 8)
    hashed = hashlib.sha384(bytes(8) + hashlib.sha384(message).digest() + salt).digest()
    block = bytes(length - 2 * HASH - 2) + b"\1" + salt
    masked = bytearray(a ^ b for a, b in zip(block, mask(hashed, len(block)), strict=True))
    masked[0] &= 0xFF >> (8 * length - bits)
    return bytes(masked) + hashed + b"\xbc"


def blind(modulus, message, salt=None, factor=None):
    """What the server signs, and what turns its signature into the message's."""
    n, length = int(modulus, 16), len(modulus) // 2
    salt = secrets.token_bytes(HASH) if salt is None else salt
    m = int.from_bytes(encode(message, n.bit_length() - 1, salt))
    while factor is None or gcd(factor, n) != 1:
        factor = secrets.randbelow(n - 1) + 1
    blinded = m * pow(factor, EXPONENT, n) % n
    return blinded.to_bytes(length), pow(factor, -1, n)


def finalize(modulus, signed, inverse):
    """The message's signature; the server's own check tells whether it is right."""
    n, length = int(modulus, 16), len(modulus) // 2
    return (int.from_bytes(signed) * inverse % n).to_bytes(length)


def hash_token(token):
    """An invitation as a store keeps it."""
    return hashlib.sha256(bytes.fromhex(token)).digest()


@dataclass
class Invited:
    """A person with an invitation, from the key in the page to the report.

    Parameters
    ----------
    survey : Survey
        What is asked.
    key : str
        The public key that the page of the survey has.
    token : str
        The invitation.
    codes : tuple of int
        What is reported.
    factor : int, optional
        What the message is blinded with; drawn, as it must be, unless a test says otherwise.
    """

    survey: object
    key: str
    token: str
    codes: tuple = (1, 0)
    factor: int | None = None

    def __post_init__(self):
        self.receipt = secrets.token_hex(16)
        self.id = receipt_id(self.receipt)
        self.message = prepare(bytes.fromhex(self.id))
        self.blinded, self._inverse = blind(self.key, self.message, factor=self.factor)

    @property
    def redemption(self):
        """The body of the first request."""
        return json.dumps({"token": self.token, "blinded": self.blinded.hex()}).encode()

    def ticket(self, signed):
        """The ticket, from the server's answer."""
        return (self.message[:32] + finalize(self.key, bytes.fromhex(signed), self._inverse)).hex()

    def report(self, ticket):
        """The body of the second request."""
        form = self.survey.questionnaire
        return write_report(form, Report(self.id, ticket, form.modes(), self.codes))
