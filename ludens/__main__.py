"""`python -m ludens` is the command `ludens`."""

from ludens.cli.main import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
