"""A client of Cannabis Business Data Access."""

from standardwebhooks import WebhookVerificationError

from ._changes import (
    ChangePage,
    ChangeStore,
    Crb,
    Summary,
    VerifiableStore,
    Verification,
    digest_of,
    follow_changes,
    read_feed,
    verify_copy,
)
from ._client import Client
from ._errors import ApiError, NoResponseError
from ._exports import DownloadedFile, download_export, wait_for_export
from ._transport import ClientCredentials
from ._webhooks import verify_webhook

__version__ = "1.0.0"
__all__ = [
    "ApiError",
    "ChangePage",
    "ChangeStore",
    "Client",
    "ClientCredentials",
    "Crb",
    "DownloadedFile",
    "NoResponseError",
    "Summary",
    "VerifiableStore",
    "Verification",
    "WebhookVerificationError",
    "digest_of",
    "download_export",
    "follow_changes",
    "read_feed",
    "verify_copy",
    "verify_webhook",
    "wait_for_export",
]
