"""The sub-commands of `targi` that the SDK brings, one a module, each with a `COMMAND`."""
