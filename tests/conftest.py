"""For all tests: Ctrl-C and a closed terminal reach the processes that they start."""

import signal

# A shell starts background work with one of them ignored, nohup with the other, and children inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
