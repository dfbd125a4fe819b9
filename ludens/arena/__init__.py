"""The arena: many games between agents, judged with intervals."""

from ludens.core.callable_package import make_callable

make_callable(__name__)
