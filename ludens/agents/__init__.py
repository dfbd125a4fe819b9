"""Names and parameters to players: `name` or `name:key=value,key=value`."""

from ludens.core.callable_package import make_callable

make_callable(__name__)
