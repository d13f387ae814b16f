"""Who is connected, which matches a bot holds, and how a match comes about."""
