"""The gRPC server: registration, the concerns around every handler, raw frames, health and reflection."""
