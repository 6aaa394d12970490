"""The proxies whose configurations are shipped, before the program itself."""

import re
import shutil
import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from support import machine
from support.cluster import free_port
from support.web_reports import post

from confide.web.guard import PAGE_HEADERS

SHIPPED = Path(__file__).parents[2] / "docs" / "deploy"
NAME = "survey.example"


class Proxy:
    """A proxy before a survey; who asks it does so over TLS, under the survey's name."""

    def __init__(self, folder, port, plain_port, certificate):
        self.folder, self.port, self.plain_port = folder, port, plain_port
        self._context = ssl.create_default_context(cafile=certificate)

    def client(self):
        transport = httpx.HTTPTransport(verify=self._context)
        base = f"https://127.0.0.1:{self.port}"
        return httpx.Client(transport=transport, base_url=base, headers={"Host": NAME}, timeout=20)

    def written(self):
        """All that it and its folder hold in files, but what the test put there."""
        files = [each for each in self.folder.rglob("*") if each.is_file()]
        return b"".join(each.read_bytes() for each in files if each.suffix != ".conf")


@pytest.fixture
def certificate(tmp_path):
    """A certificate for the name and for loopback."""
    openssl = machine.program("openssl", "openssl")
    key, chain = tmp_path / "key.pem", tmp_path / "chain.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-keyout", str(key), "-out", str(chain), "-subj", f"/CN={NAME}"]
    command += ["-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    return key, chain


def wait_for(port):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the proxy does not listen")


def configure_nginx(folder, backend, ports, key, chain):
    """The shipped configuration on other ports and with another certificate, and nothing else."""
    nginx = machine.program("nginx", "nginx")
    text = (SHIPPED / "nginx.conf").read_text("utf-8")
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{ports[0]} ssl",
        "listen 80": f"listen 127.0.0.1:{ports[1]}",
        "127.0.0.1:8000": f"127.0.0.1:{backend}",
        "/etc/letsencrypt/live/survey.example/fullchain.pem": str(chain),
        "/etc/letsencrypt/live/survey.example/privkey.pem": str(key),
    }
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    file = folder / "nginx.conf"
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off; pid {folder}/nginx.pid; error_log stderr crit; events {{}}"
    file.write_text(f"{head}\nhttp {{ {temporary}\n{text} }}\n", "utf-8")
    return [nginx, "-p", str(folder), "-c", str(file)]


def configure_caddy(folder, backend, ports, key, chain):
    caddy = machine.program("caddy", "caddy")
    text = (SHIPPED / "Caddyfile").read_text("utf-8")
    head = f"{{\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port {ports[0]}\n}}\n"
    assert "\nsurvey.example {" in text and "127.0.0.1:8000" in text
    own = f"\nsurvey.example:{ports[0]} {{\n\ttls {chain} {key}"
    text = text.replace("\nsurvey.example {", own).replace("127.0.0.1:8000", f"127.0.0.1:{backend}")
    file = folder / "caddy.conf"
    file.write_text(head + text, "utf-8")
    return [caddy, "run", "--config", str(file), "--adapter", "caddyfile"]


@pytest.fixture(params=[configure_nginx, configure_caddy], ids=["nginx", "caddy"])
def proxy(request, program, certificate, tmp_path):
    folder, ports = tmp_path / "proxy", (free_port(), free_port())
    folder.mkdir()
    key, chain = certificate
    given = ("--address", f"https://{NAME}", "--trusted-proxy", "127.0.0.1")
    server = program(options=given)
    command = request.param(folder, server.port, ports, key, chain)
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, cwd=folder, **quiet) as running:
        try:
            wait_for(ports[0])
            yield Proxy(folder, *ports, str(chain))
        finally:
            running.terminate()


def send_much(client):
    """Send a megabyte as a report; how that ends."""
    try:
        return post(client, b"x" * 1_000_000).status_code
    except httpx.RemoteProtocolError:
        return "hung up"


@pytest.mark.slow
def test_through_a_proxy_the_page_is_what_it_is_and_limits_are_each_addresss_own(proxy):
    with proxy.client() as client:
        page = client.get("/", extensions={"sni_hostname": NAME})
        assert page.status_code == 200
        for name, value in PAGE_HEADERS.items():
            assert page.headers[name] == value
        assert page.headers["strict-transport-security"].startswith("max-age=31536000")
        assert "set-cookie" not in page.headers
        claimed = [{"X-Forwarded-For": f"10.1.0.{i}"} for i in range(30)]
        wrong = ("admin", "a wrong password")
        with ThreadPoolExecutor(15) as people:
            tried = people.map(lambda h: client.get("/api/counts", auth=wrong, headers=h), claimed)
            # whoever claims other addresses is limited as one: ten at once, of 40 in all
            assert {each.status_code for each in tried} == {401, 429}
        # Caddy says 502 of a body that it has cut off, or hangs up
        assert send_much(client) in (413, 502, "hung up")
    assert not re.search(rb"127\.0\.0\.1 |GET /|POST /|10\.1\.", proxy.written())


def test_the_other_files_name_what_the_program_has():
    """Options of the command line, the pins, and where the survey is: a typing error shows."""
    service = (SHIPPED / "confide.service").read_text("utf-8")
    container = (SHIPPED / "Containerfile").read_text("utf-8")
    from confide.cli.commands import serve

    options = {"--" + name.replace("_", "-") for name in serve.serve.__annotations__}
    for text in (service, container):
        used = re.findall(r"--(?:database|address|trusted-proxy|host)\b", text)
        assert used and set(used) <= options
    assert "requirements.txt" in container and "--require-hashes" in container
    for copied in re.findall(r"^COPY (.+) \S+$", container, re.MULTILINE):
        for each in copied.split():
            assert (SHIPPED.parents[1] / each).exists()


def test_systemd_takes_the_unit_and_finds_it_locked_in(tmp_path):
    """What systemd itself says of the file; the service was not started by systemd."""
    if not (systemd := shutil.which("systemd-analyze")):
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "confide.service"
    text = (SHIPPED / "confide.service").read_text("utf-8")
    unit.write_text(text.replace("/opt/confide/bin/confide", "/bin/true"), "utf-8")
    found = subprocess.run([systemd, "verify", unit], check=False, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    rated = [systemd, "security", "--offline=true", "--threshold=35", unit]
    assert subprocess.run(rated, check=False, capture_output=True).returncode == 0
