"""All tests: where coverage is measured, and where it would only slow the compiler down."""

from __future__ import annotations

from pathlib import Path

import pytest

# These suites mostly compile, run what is compiled, or look at a server of its own: nothing that is measured here.
_UNMEASURED = ("conformance", "external", "search", "web")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--cov`, tests of these folders run unmeasured: tracing makes compiling a third slower."""
    if not config.pluginmanager.hasplugin("_cov"):
        return
    here = Path(__file__).parent
    for item in items:
        if item.path.relative_to(here).parts[0] in _UNMEASURED:
            item.add_marker(pytest.mark.no_cover)
