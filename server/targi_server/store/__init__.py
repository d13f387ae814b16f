"""The match log and everything else that lives in Redis."""
