"""Servicers: each decodes, calls one domain function, encodes."""
