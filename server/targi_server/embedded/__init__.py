"""The embedded Redis: a real redis-server that belongs to one supervisor and one data directory."""
