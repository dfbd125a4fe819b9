"""nginx and Caddy as the repository configures them, before a server of a test."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ports import free_port

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
_AROUND = """
daemon off;
{user}
pid {folder}/pid;
worker_processes 2;
worker_rlimit_nofile 8192;
error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/ludens.conf;
}}
"""


@dataclass(frozen=True)
class Proxy:
    """Where it listens, with TLS and without, and whom its certificate is trusted by."""

    url: str
    plain_url: str
    tls: ssl.SSLContext
    folder: Path


def changed(text: str, changes: Mapping[str, str]) -> str:
    """The text with parts of it replaced, each of which must be there."""
    for part, instead in changes.items():
        assert part in text, part
        text = text.replace(part, instead)
    return text


def certificate(folder: Path) -> ssl.SSLContext:
    """Makes a certificate of this machine in the folder; gives what trusts it."""
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    command += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run(command, check=True, capture_output=True)
    return ssl.create_default_context(cafile=str(folder / "certificate.pem"))


@contextlib.contextmanager
def nginx_before(server: str, **changes: str) -> Iterator[Proxy]:
    """nginx with deploy/nginx.conf before the server of that URL; `changes` are other values of directives."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("LEFT OUT: nginx is not installed, so the server was not tested behind it")
    with tempfile.TemporaryDirectory(prefix="ludens-nginx-") as name:
        folder = Path(name)
        tls = certificate(folder)
        secure, plain = free_port(), free_port()
        lines = []
        for line in (DEPLOY / "nginx.conf").read_text().splitlines():
            directive = line.split()[0] if line.split() else ""
            value = changes.pop(directive, None)
            lines.append(line if value is None else f"{directive} {value};")
        assert not changes, changes
        here = {
            "listen 443 ssl;": f"listen 127.0.0.1:{secure} ssl; listen 127.0.0.1:{plain};",
            "127.0.0.1:8137": server.removeprefix("http://"),
            "/etc/letsencrypt/live/play.example.org/fullchain.pem": f"{folder}/certificate.pem",
            "/etc/letsencrypt/live/play.example.org/privkey.pem": f"{folder}/key.pem",
        }
        (folder / "ludens.conf").write_text(changed("\n".join(lines), here))
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(_AROUND.format(folder=folder, user=user))
        command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        with running(command, plain):
            yield Proxy(f"https://127.0.0.1:{secure}", f"http://127.0.0.1:{plain}", tls, folder)


@contextlib.contextmanager
def running(command: list[str], port: int, **environment: str) -> Iterator[None]:
    """The program, once it listens on the port; it is stopped at the end."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **environment}
    )
    try:
        end = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError(process.stderr.read().decode() if process.stderr else "")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(60)
        if process.stderr:
            process.stderr.close()
