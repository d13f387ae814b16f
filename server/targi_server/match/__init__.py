"""What a match is, as values: header, clocks, log entries, verdict. No IO."""
