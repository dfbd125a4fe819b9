"""What an administrator is given works: metrics, dashboard, unit, container and compose files fit the server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from ludens.cli.main import app
from tests.server.conftest import Player

DEPLOY = Path(__file__).parents[2] / "deploy"


def options_of_serve() -> tuple[set[str], set[str]]:
    """The options of `ludens serve`, and the variables of the environment that it reads."""
    command = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    options = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    variables = {option.envvar for option in command.params if option.envvar}
    return options, {name for given in variables for name in ([given] if isinstance(given, str) else given)}


def test_every_figure_has_help_and_a_type(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "random")
    player.move(table, tokens[0], player.view(table, tokens[0]))
    text = player.http.get("/metrics").text
    shown = {re.split(r"[ {]", line)[0] for line in text.splitlines() if not line.startswith("#")}
    shown = {re.sub("_(bucket|sum|count)$", "", name) if "move_seconds" in name else name for name in shown}
    for kind in ("HELP", "TYPE"):
        assert shown <= {line.split()[2] for line in text.splitlines() if line.startswith(f"# {kind}")}
    assert {"ludens_games_standing", "ludens_process_resident_bytes", "ludens_process_descriptors"} <= shown


def test_the_dashboard_asks_for_figures_that_there_are(player: Player) -> None:
    text = player.http.get("/metrics").text
    known = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    board = json.loads((DEPLOY / "grafana.json").read_text())
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"ludens_\w+", target["expr"])
    }
    assert len(asked) > 15
    assert {name.removesuffix("_bucket") for name in asked} <= known


def test_the_unit_starts_the_server_with_options_that_there_are() -> None:
    text = (DEPLOY / "ludens.service").read_text()
    options, variables = options_of_serve()
    (start,) = re.findall(r"ExecStart=(.*)", text)
    assert set(re.findall(r"--[a-z-]+", start)) <= options
    assert set(re.findall(r"LUDENS_(?:DATABASE|HOSTS|\w+_TOKEN)", text)) <= variables
    assert int(re.findall(r"LimitNOFILE=(\d+)", text)[0]) > 10_000
    assert text.strip() in (DEPLOY.parent / "docs" / "deploy.md").read_text()


def test_the_unit_is_one_for_systemd(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("LEFT OUT: systemd-analyze is not installed, so the unit was not checked")
    unit = tmp_path / "ludens.service"
    unit.write_text((DEPLOY / "ludens.service").read_text().replace("/opt/ludens/bin/ludens", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "ludens.service" in line] == []


def test_the_servers_lock_has_hashes_and_the_versions_of_the_other() -> None:
    pinned = re.compile(r"^[a-z0-9._-]+(?:\[[^\]]*\])?==[^ ;\\\n]+", re.MULTILINE)
    checked = (DEPLOY / "requirements.lock").read_text()
    names = set(pinned.findall(checked))
    assert len(names) > 30
    assert names <= set(pinned.findall((DEPLOY.parent / "requirements.lock").read_text()))
    assert all("--hash=sha256:" in part for part in re.split(r"\n(?=[a-z0-9])", checked.strip()))


def test_the_containers_fit_the_server() -> None:
    options, variables = options_of_serve()
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    server = compose["services"]["server"]
    assert {word for word in server["command"] if word.startswith("--")} <= options
    assert set(server["environment"]) <= variables
    for service in compose["services"].values():
        assert set(service.get("secrets", ())) <= set(compose["secrets"])
        assert set(service["networks"]) <= set(compose["networks"])
        assert {volume.split(":")[0] for volume in service["volumes"]} <= set(compose["volumes"])
    container = (DEPLOY / "Containerfile").read_text()
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", container, re.MULTILINE)
    assert {word for word in json.loads(entry) if word.startswith("--")} <= options
    assert server["build"]["dockerfile"] == "deploy/Containerfile"


def test_the_container_file_has_nothing_to_complain_about() -> None:
    hadolint = shutil.which("hadolint", path=sysconfig.get_path("scripts")) or shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("LEFT OUT: hadolint is not installed, so the container file was not linted")
    done = subprocess.run(
        [hadolint, "--no-color", DEPLOY / "Containerfile"], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


def test_the_compose_file_is_one_by_its_schema() -> None:
    pytest.importorskip("check_jsonschema", reason="LEFT OUT: check-jsonschema is not installed")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, DEPLOY / "compose.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
