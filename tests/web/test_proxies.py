"""The proxies whose configurations are shipped, before the program itself."""

import csv
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from support import machine
from support.blinding import Invited
from support.cluster import free_port
from support.web_reports import PASSWORD, body, post
from support.web_surveys import small

from confide.web.guard import PAGE_HEADERS
from confide.web.qr_codes import draw_for_page

SHIPPED = Path(__file__).parents[2] / "docs" / "deploy"
NAME = "survey.example"
SAME_SITE = {"Origin": f"https://{NAME}", "Sec-Fetch-Site": "same-origin"}


class Proxy:
    """A proxy before a survey; who asks it does so over TLS, under the survey's name."""

    def __init__(self, folder, port, plain_port, certificate):
        self.folder, self.port, self.plain_port = folder, port, plain_port
        self._context = ssl.create_default_context(cafile=certificate)

    def client(self):
        transport = httpx.HTTPTransport(verify=self._context)
        base = f"https://127.0.0.1:{self.port}"
        return httpx.Client(transport=transport, base_url=base, headers={"Host": NAME}, timeout=60)

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


def wait_for(port, process, log):
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"the proxy does not listen: {log.read_text()}")


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
def serve_behind(request, program, certificate, tmp_path):
    """Serve a survey, or a folder of them, behind a proxy; gives the proxy and the program."""
    folder, log, ports = tmp_path / "proxy", tmp_path / "proxy.log", (free_port(), free_port())
    folder.mkdir()
    key, chain = certificate
    running = []

    def serve_behind(**served):
        given = ("--address", f"https://{NAME}", "--trusted-proxy", "127.0.0.1")
        server = program(options=given, **served)
        command = request.param(folder, server.port, ports, key, chain)
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
        with log.open("w") as output:
            said = {"stdout": output, "stderr": subprocess.STDOUT}
            running.append(subprocess.Popen(command, env=environment, cwd=folder, **said))
        wait_for(ports[0], running[-1], log)
        return Proxy(folder, *ports, str(chain)), server

    yield serve_behind
    for each in running:
        each.terminate()
        each.wait(20)


def send_much(client):
    """Send a megabyte as a report; how that ends."""
    try:
        return post(client, b"x" * 1_000_000).status_code
    except httpx.RemoteProtocolError:
        return "hung up"


@pytest.mark.slow
def test_through_a_proxy_the_page_is_what_it_is_and_limits_are_each_addresss_own(serve_behind):
    proxy, _ = serve_behind()
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


def follow(client, link, survey, key):
    """Answer by an invitation's link, as its page would; how the report is answered."""
    path, _, token = link.removeprefix(f"https://{NAME}").rpartition(".")
    root = path.partition("#")[0].rstrip("/")
    person = Invited(survey, key, token)
    signed = post(client, person.redemption, f"{root}/ticket", Origin=f"https://{NAME}")
    return post(client, person.report(person.ticket(signed.json()["signature"])), f"{root}/report")


@pytest.mark.slow
def test_a_folder_of_surveys_is_behind_a_proxy_what_it_is_without(serve_behind, tmp_path):
    """The list, pages, reports, an invitation's link and results, each survey's under its path."""
    folder, links = tmp_path / "surveys", tmp_path / "links.csv"
    folder.mkdir()
    survey = small()
    survey.design.save(folder / "everyone.toml")
    text = (folder / "everyone.toml").read_text("utf-8") + "\n[page]\ninvitation = true\n"
    (folder / "invited.toml").write_text(text, "utf-8")
    proxy, server = serve_behind(served=folder)
    given = ["--count", "1", "-o", str(links), "--address", f"https://{NAME}/s/invited"]
    command = [sys.executable, "-m", "confide", "invite", str(folder / "invited.toml"), *given]
    subprocess.run(command, check=True, capture_output=True)
    with proxy.client() as client:
        first = client.get("/", extensions={"sni_hostname": NAME}).text
        assert "s/everyone/" in first and "s/invited/" not in first
        for root in ("/s/everyone", "/s/invited"):
            page = client.get(f"{root}/")
            assert {k: page.headers[k] for k in PAGE_HEADERS} == PAGE_HEADERS
            assert client.get(f"{root}/static/page.js").status_code == 200
        sent = body(survey)
        assert post(client, sent, "/s/everyone/report").status_code == 200
        assert post(client, sent, "/s/invited/report").status_code == 403
        (link,) = [row["link"] for row in csv.DictReader(links.read_text("utf-8").splitlines())]
        key = re.search(r'"key":\s*"([0-9a-f]+)"', page.text)[1]
        assert follow(client, link, survey, key).status_code == 200
        for name, secret in zip(("everyone", "invited"), server.keys, strict=True):
            given = {"key": secret, "password": PASSWORD}
            results = f"/s/{name}/admin"
            assert client.get(results).headers["location"] == f"{results}/login"
            entered = client.post(f"{results}/welcome", data=given, headers=SAME_SITE)
            assert (entered.status_code, entered.headers["location"]) == (303, results)
            assert "Secure" in entered.headers["set-cookie"]
            assert (address := f"https://{NAME}/s/{name}/") in client.get(results).text
            assert client.get(f"{results}/address.svg").text == draw_for_page(address)
    log = server.stopped()
    assert "127.0.0.1" not in log and "Traceback" not in log


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
