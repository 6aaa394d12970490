"""Blind signatures: RFC 9474's own numbers, and agreement with an independent implementation."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from support import blinding
from support.machine import program
from support.vectors import VECTORS

from confide.web.blind_signatures import BlindMessageError, SigningKey

STATIC = Path(__file__).parents[2] / "src/confide/web/static"
CHECK = Path(__file__).with_name("check_blinding.mjs")
PRINTED = json.loads((VECTORS / "rfc9474.json").read_text())
OTHER = "@cloudflare/blindrsa-ts"


@pytest.fixture(scope="module")
def key():
    return SigningKey.generate()


@pytest.fixture(scope="module")
def printed_key():
    numbers = {name: int(PRINTED[name], 16) for name in "pqdne"}
    private = rsa.RSAPrivateNumbers(
        numbers["p"],
        numbers["q"],
        numbers["d"],
        rsa.rsa_crt_dmp1(numbers["d"], numbers["p"]),
        rsa.rsa_crt_dmq1(numbers["d"], numbers["q"]),
        rsa.rsa_crt_iqmp(numbers["p"], numbers["q"]),
        rsa.RSAPublicNumbers(numbers["e"], numbers["n"]),
    )
    return SigningKey(private.private_key())


def ask_node(task, folder=STATIC, **given):
    """Run a step of the browser's half in Node."""
    command = [program("node", "nodejs"), CHECK, folder, task, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_the_server_signs_what_the_rfc_prints(printed_key):
    signed = printed_key.sign_blinded(bytes.fromhex(PRINTED["blinded_msg"]))
    assert signed.hex() == PRINTED["blind_sig"]
    message, signature = (bytes.fromhex(PRINTED[name]) for name in ("input_msg", "sig"))
    assert printed_key.verify(message, signature)
    assert not printed_key.verify(message + b"!", signature)
    assert not printed_key.verify(message, bytes(len(signature)))


@pytest.mark.slow
def test_the_browsers_half_gives_what_the_rfc_prints():
    found = ask_node("printed", **PRINTED)
    assert found == {name: PRINTED[name] for name in ("input_msg", "blinded_msg", "inv", "sig")}


def test_the_tests_own_half_gives_what_the_rfc_prints():
    """So it is an oracle for the browser's."""
    message, salt, signed = (
        bytes.fromhex(PRINTED[name]) for name in ("input_msg", "salt", "blind_sig")
    )
    factor = pow(int(PRINTED["inv"], 16), -1, int(PRINTED["n"], 16))
    blinded, inverse = blinding.blind(PRINTED["n"], message, salt, factor)
    assert blinded.hex() == PRINTED["blinded_msg"]
    assert inverse == int(PRINTED["inv"], 16)
    assert blinding.finalize(PRINTED["n"], signed, inverse).hex() == PRINTED["sig"]


@pytest.mark.slow
def test_the_browser_and_the_server_agree(key):
    """With a key of our size, a message of our size and random blinding."""
    made = ask_node("blind", n=key.public, message="ab" * 16)
    signed = key.sign_blinded(bytes.fromhex(made["blinded"]))
    assert signed == key.sign_blinded(bytes.fromhex(made["blinded"]))
    found = ask_node("finalize", n=key.public, signed=signed.hex(), **made)
    prepared, signature = (bytes.fromhex(each) for each in (made["prepared"], found["signature"]))
    assert prepared[32:] == bytes.fromhex("ab" * 16)
    assert key.verify(prepared, signature)
    assert not key.verify(bytes(32) + prepared[32:], signature)
    assert not SigningKey.generate().verify(prepared, signature)


@pytest.mark.slow
def test_a_wrong_signature_is_refused_by_the_browser(key):
    made = ask_node("blind", n=key.public, message="00")
    signed = bytearray(key.sign_blinded(bytes.fromhex(made["blinded"])))
    signed[-1] ^= 1
    assert "refused" in ask_node("finalize", n=key.public, signed=signed.hex(), **made)
    assert "refused" in ask_node("finalize", n=key.public, signed=signed.hex()[2:], **made)


@pytest.mark.slow
def test_what_the_server_sees_tells_nothing_of_the_message(key):
    """Blinded twice, the same message is two numbers, each of any size below the modulus."""
    seen = [ask_node("blind", n=key.public, message="00")["blinded"] for _ in range(3)]
    assert len(set(seen)) == 3


def test_a_key_is_kept(key):
    again = SigningKey.from_bytes(key.to_bytes())
    assert again.public == key.public
    message = (5).to_bytes(key.size)
    assert again.sign_blinded(message) == key.sign_blinded(message)


@pytest.mark.parametrize("blinded", [b"", b"\1" * 255, b"\1" * 257, b"\xff" * 256])
def test_what_is_no_blinded_message_is_refused(key, blinded):
    with pytest.raises(BlindMessageError, match="256 bytes"):
        key.sign_blinded(blinded)


def to_base64(number):
    """A number as a key in JSON has it."""
    return urlsafe_b64encode(number.to_bytes((number.bit_length() + 7) // 8)).decode().rstrip("=")


@pytest.mark.slow
def test_both_ways_agree_with_an_independent_implementation(key, tmp_path):
    """Their browser with our server, and ours with theirs."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", OTHER]
    if subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode:
        pytest.skip(f"npm cannot get {OTHER}")
    script = tmp_path / CHECK.name
    script.write_text(CHECK.read_text())
    numbers = key.private.private_numbers()
    parts = {"d": numbers.d, "p": numbers.p, "q": numbers.q}
    parts |= {"dp": numbers.dmp1, "dq": numbers.dmq1, "qi": numbers.iqmp}
    given = {
        "n": key.public,
        "message": "cd" * 16,
        "private": {k: to_base64(v) for k, v in parts.items()},
    }
    command = [program("node", "nodejs"), script, STATIC]

    def run(task, **more):
        done = subprocess.run(
            [*command, task, json.dumps(given | more)],
            capture_output=True, text=True, check=True, timeout=60, cwd=tmp_path,
        )  # fmt: skip
        return json.loads(done.stdout)

    theirs = run("their blind")
    signed = key.sign_blinded(bytes.fromhex(theirs["blinded"]))
    found = run("their finalize", signed=signed.hex(), **theirs)
    assert key.verify(*(bytes.fromhex(each) for each in (theirs["prepared"], found["signature"])))
    ours = run("blind")
    assert run("their sign", blinded=ours["blinded"])["signed"] == (
        key.sign_blinded(bytes.fromhex(ours["blinded"])).hex()
    )
