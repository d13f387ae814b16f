"""Playing: sessions of connected bots, the tables they sit at, and the stream between."""
