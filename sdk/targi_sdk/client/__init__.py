"""The client: plays a bot over the service, with all of its matches on one stream."""

from targi_sdk.client.address import DEFAULT, Address
from targi_sdk.client.news import Kind, News, Reporter, log_news
from targi_sdk.client.run import Summary, run_bot

__all__ = ["DEFAULT", "Address", "Kind", "News", "Reporter", "Summary", "log_news", "run_bot"]
