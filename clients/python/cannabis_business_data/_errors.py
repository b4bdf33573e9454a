"""The errors of calls. Their messages have no value of the request, such as search terms or a secret."""

import json
from collections.abc import Mapping
from typing import Any


class ApiError(Exception):
    """
    An error response of the API, or a response from another program, such as a proxy. Errors of the API have a class for each
    status, such as NotFoundError.
    """

    def __init__(self, request: str, status: int, headers: Mapping[str, str], record: Mapping[str, Any]) -> None:
        fields = record.get("fields")
        self.status = status
        self.headers = headers
        #: Cause, such as `scope_missing`. A release may add codes. `invalid_response` if there is no error record.
        self.code: str = record.get("code", "invalid_response")
        #: The inputs that failed, such as `query.limit`; empty unless the status is 422.
        self.fields: dict[str, dict[str, Any]] = fields if isinstance(fields, dict) else {}
        #: Further details, as the operation describes them.
        self.data: Any = record.get("data")
        #: The id to name when you contact the operator.
        self.request_id: str | None = headers.get("x-request-id")
        #: Seconds to wait before a repetition, from `Retry-After`.
        self.retry_after: int | None = retry_after_of(headers)
        message = record.get("message", "The response is not from this API.")
        failures = [f"; {name} {one.get('message')}" for name, one in self.fields.items() if isinstance(one, dict)]
        text = "".join(char if char.isprintable() else " " for char in f"{message}{''.join(failures)}")
        super().__init__(f"{request}: {status} {self.code}: {text[:1000]}")


class NoResponseError(Exception):
    """No whole response after all attempts: the connection failed or broke off, or the attempt timed out."""


def retry_after_of(headers: Mapping[str, str]) -> int | None:
    """The seconds in `Retry-After`. None if the header is absent or has another form."""
    text = headers.get("Retry-After", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def record_of(status: int, body: bytes) -> dict[str, Any]:
    """The error record of a response; empty if the response is not from the API."""
    if status == 304:
        return {"code": "not_modified", "message": "Nothing has changed since the response with this ETag."}
    try:
        record = json.loads(body)
    except ValueError:
        return {}
    return record if isinstance(record, dict) and isinstance(record.get("code"), str) else {}
