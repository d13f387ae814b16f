"""Sub-commands that the server adds to `targi`: objects with name, help, add_arguments and run."""
