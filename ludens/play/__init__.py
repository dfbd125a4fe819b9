"""One engine: plays a schedule of games between seats into a sink."""

from ludens.core.callable_package import make_callable

make_callable(__name__)
