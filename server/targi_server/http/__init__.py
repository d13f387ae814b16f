"""The HTTP port: what people and monitoring see."""
