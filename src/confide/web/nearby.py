"""Serving people in the same room: this machine's own address, and a certificate of its own."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from confide.errors import ConfideError

_DAYS = 7


@dataclass(frozen=True)
class Certificate:
    """A certificate that this machine has signed itself, and its key.

    Parameters
    ----------
    certificate, key : Path
        The files.
    fingerprint : str
        The SHA-256 by which a person can tell it from another.
    """

    certificate: Path
    key: Path
    fingerprint: str


def find_own_address() -> str:
    """Find the address by which others in the same network reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # nothing is sent: only the way there is looked up
            found: str = asked.getsockname()[0]
        except OSError:
            found = "127.0.0.1"
    if ip_address(found).is_loopback:
        raise ConfideError("this machine is in no network that others nearby could reach it by.")
    return found


def make_certificate(address: str, folder: Path) -> Certificate:
    """Make a certificate for an address, good for a week; its key is for nobody else's eyes."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "confide, nearby")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[1].touch(mode=0o600)
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return Certificate(*paths, made.fingerprint(hashes.SHA256()).hex(":").upper())
