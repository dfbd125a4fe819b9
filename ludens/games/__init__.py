"""The games: one folder each, the same file names in every folder."""

from ludens.core.callable_package import make_callable

make_callable(__name__)
