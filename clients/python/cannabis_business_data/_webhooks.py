"""Verifies webhook requests."""

from collections.abc import Mapping
from typing import Any, cast

from standardwebhooks import Webhook, WebhookVerificationError

from .models import Event


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> Event:
    """
    Verifies a webhook request, and returns its event. Verify before you use the content: anyone can send requests to your
    address. A type that this version does not know may come.

    secret: the endpoint's `secret`, `whsec_…`.
    body: the bytes as received.
    Raises WebhookVerificationError if the signature is missing or wrong, or older than five minutes.
    """
    webhook = Webhook(secret)
    try:
        event: Any = webhook.verify(body, dict(headers))
    except WebhookVerificationError:
        raise
    except Exception as error:
        # Headers of another form cause other errors in the package.
        raise WebhookVerificationError(f"The request is malformed ({type(error).__name__})") from None
    if not isinstance(event, dict):
        raise WebhookVerificationError("The body is not an event")
    return cast(Event, event)
