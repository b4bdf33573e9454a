"""A client of Cannabis Business Data Access."""

__version__ = "1.0.0"

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
from ._operations import CrbClient
from ._transport import ClientCredentials, KeyCredentials, Options, Response
from ._webhooks import verify_webhook
from .errors import (
    ConflictError,
    ForbiddenError,
    InternalServerError,
    NotFoundError,
    PayloadTooLargeError,
    RateLimitError,
    ServiceUnavailableError,
    UnauthorizedError,
    ValidationError,
)

__all__ = [
    "ApiError",
    "ChangePage",
    "ChangeStore",
    "Client",
    "ClientCredentials",
    "ConflictError",
    "Crb",
    "CrbClient",
    "DownloadedFile",
    "ForbiddenError",
    "InternalServerError",
    "KeyCredentials",
    "NoResponseError",
    "NotFoundError",
    "Options",
    "PayloadTooLargeError",
    "RateLimitError",
    "Response",
    "ServiceUnavailableError",
    "Summary",
    "UnauthorizedError",
    "ValidationError",
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
