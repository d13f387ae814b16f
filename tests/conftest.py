"""For all tests: Ctrl-C works for the processes that they start, whoever started the tests."""

import signal

# A shell starts what it runs in the background with the signal ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
