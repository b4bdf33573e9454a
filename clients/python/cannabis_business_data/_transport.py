"""Sends requests with a credential, a timeout and retries."""

import copy
import json
import platform
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self, TypedDict, TypeGuard, Unpack
from urllib.parse import quote, urlencode, urlsplit

import urllib3

from . import __version__
from ._errors import ApiError, NoResponseError, record_of, retry_after_of
from ._http import open_response
from .errors import CLASSES

USER_AGENT = f"cannabis-business-data-client/{__version__} Python/{platform.python_version()}"
#: A token is renewed this long before it expires, because a request may take long to arrive.
_MARGIN_SECONDS = 60
_ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@dataclass(frozen=True)
class ClientCredentials:
    """A client id and its secret, which are exchanged for access tokens."""

    client_id: str
    client_secret: str = field(repr=False)
    #: All scopes of the credential if None.
    scope: list[str] | None = None


@dataclass(frozen=True)
class KeyCredentials:
    """A client id and the private key of a public key that `set_credential_keys` set, in place of a secret."""

    client_id: str
    #: Signs an assertion (RFC 7523) whose `aud` is its argument. It is called for each attempt, and its results are sent once.
    sign: Callable[[str], str] = field(repr=False)
    #: All scopes of the credential if None.
    scope: list[str] | None = None


class Response(NamedTuple):
    """A successful response, without its content."""

    status: int
    headers: Mapping[str, str]
    #: The id to name when you contact the operator.
    request_id: str | None


class Options(TypedDict, total=False):
    """The options of calls."""

    #: Seconds for one attempt, including its content. Default: 30.
    timeout: float
    #: Default: 5.
    max_attempts: int
    #: The longest wait in seconds. A longer `Retry-After` ends the call with its error. Default: 120.
    max_wait: float
    #: More headers, such as `traceparent`.
    headers: Mapping[str, str]
    #: Called with each successful response, also with each page of a list.
    on_response: Callable[[Response], object]


@dataclass(frozen=True)
class _Options:
    timeout: float = 30
    max_attempts: int = 5
    max_wait: float = 120
    headers: Mapping[str, str] = field(default_factory=dict)
    on_response: Callable[[Response], object] = lambda response: None


class _Token:
    """The access token that a client and its copies share."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.text, self.renew_at = "", 0.0


class Transport:
    """The base of `Client`. It may be used by several threads."""

    def __init__(
        self,
        base_url: str,
        credential: str | ClientCredentials | KeyCredentials,
        *,
        pool: urllib3.PoolManager | None = None,
        **options: Unpack[Options],
    ) -> None:
        """
        base_url: the address of the service, such as `https://api.example.com`.
        credential: a client secret or a token that is sent unchanged, or a client id with its secret or a private key, which are
            exchanged for access tokens.
        pool: the connections, such as a `urllib3.ProxyManager`. Downloads use them, too.
        options: see Options.
        Raises ValueError for an address or a credential that cannot work.
        """
        self.base_url = _checked_address(base_url)
        self.__credential = credential
        secret = credential.client_secret if isinstance(credential, ClientCredentials) else credential
        if not isinstance(secret, KeyCredentials) and not _is_credential(secret):
            raise ValueError("the secret must be ASCII text without spaces and line breaks")
        self.pool = urllib3.PoolManager(maxsize=10) if pool is None else pool
        self.__options = _Options(**options)
        self.__token = _Token()

    def with_options(self, **options: Unpack[Options]) -> Self:
        """A client with other options, for some calls. It shares the connections and the access token of this one."""
        other = copy.copy(self)
        other.__options = replace(self.__options, **options)
        return other

    def _request(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
        body: object = None,
        key: str | None = None,
    ) -> Any:
        """Returns the content of a successful response. Raises ApiError or NoResponseError."""
        filled = re.sub(r"\{(\w+)\}", lambda match: quote(parameters[match[1]], safe=""), path)
        sent = {name: _text_of(value) for name, value in query.items() if value is not None}
        url = f"{self.base_url}{filled}{'?' if sent else ''}{urlencode(sent)}"
        headers = urllib3.HTTPHeaderDict(self.__options.headers)
        if key is not None:
            headers["Idempotency-Key"] = key
        # DELETE and a PUT that does not add a document can be repeated, too. So can a POST with a key: the service returns its
        # first response again.
        can_repeat = key is not None or not re.match(r"POST |PUT .*/requirements/[^/]+/documents$", f"{method} {path}")
        headers["Authorization"] = token = self.__current_token()
        try:
            response, content = self.__send(method, url, body, headers, can_repeat)
        except ApiError as error:
            if error.status != 401 or isinstance(self.__credential, str):
                raise
            # The token was revoked before its end. The service has not executed the request, so that it can be sent again.
            headers["Authorization"] = self.__current_token(rejected=token)
            response, content = self.__send(method, url, body, headers, can_repeat)
        self.__options.on_response(response)
        return content

    def _iterate(self, path: str, parameters: Mapping[str, str], query: Mapping[str, object]) -> Iterator[Any]:
        # The records of a list, page by page. If a page would be too large, smaller ones are requested.
        limit, offset = query.get("limit") or 500, query.get("offset") or 0
        assert isinstance(limit, int) and isinstance(offset, int)
        # `read`: the number of records from the beginning that are read.
        read, total = offset, None
        while total is None or read < total:
            try:
                page = self._request("GET", path, parameters, {**query, "limit": limit, "offset": offset})
            except ApiError as error:
                if "query.limit" not in error.fields or not 1 < limit <= 1000:
                    raise
                limit //= 2
                continue
            if not isinstance(page, dict) or not {"data", "metadata"} <= page.keys():
                raise RuntimeError(f"{path}: the response is not a page of a list")
            yield from page["data"]
            # Records that left the list moved the following ones to lower offsets. So pages go back, or overlap, by as many.
            left, total = max(0, (total or 0) - page["metadata"]["total"]), page["metadata"]["total"]
            # A page can lack a record that is changing at that moment. So the length of a page does not show the end.
            read = max(read - left, offset + limit if offset <= max(0, read - left) else 0)
            offset = max(0, read - left)

    def __current_token(self, rejected: str | None = None) -> str:
        if isinstance(self.__credential, str):
            return self.__credential
        with self.__token.lock:
            if self.__token.text == rejected or time.monotonic() >= self.__token.renew_at:
                self.__exchange(self.__credential)
            return self.__token.text

    def __exchange(self, credential: ClientCredentials | KeyCredentials) -> None:
        # The lifetime is counted from the request, because the clock of this machine may differ from the service's.
        requested_at = time.monotonic()
        endpoint = f"{self.base_url}/auth/token"

        def body() -> dict[str, object]:
            if isinstance(credential, ClientCredentials):
                proof = {"client_secret": credential.client_secret}
            else:
                proof = {"client_assertion_type": _ASSERTION_TYPE, "client_assertion": credential.sign(endpoint)}
            scope = {} if credential.scope is None else {"scope": credential.scope}
            return {"client_id": credential.client_id, "grant_type": "client_credentials", **proof, **scope}

        _, token = self.__send("POST", endpoint, body, {}, can_repeat=True)
        text, lifetime = (token.get("access_token"), token.get("expires_in")) if isinstance(token, dict) else (None, None)
        if not _is_credential(text) or not isinstance(lifetime, int | float):
            raise ApiError("POST /auth/token", 200, {}, {})
        self.__token.text, self.__token.renew_at = text, requested_at + lifetime - _MARGIN_SECONDS

    def __send(
        self, method: str, url: str, body: object, headers: Mapping[str, str], can_repeat: bool
    ) -> tuple[Response, Any]:
        """
        Repeats a request after a 429, a 5xx, or no whole response. If the body is a function, it is called for each attempt.
        Returns a successful response and its content.
        """
        # The query is omitted, because it may hold the terms of a customer search.
        request = f"{method} {urlsplit(url).path}"
        attempts = self.__options.max_attempts if can_repeat else 1
        attempt = 0
        while True:
            attempt += 1
            backoff = min(self.__options.max_wait, 2 ** (attempt - 1)) * random.uniform(0.5, 1)
            try:
                response, content = self.__send_once(method, url, body, headers)
                data = _data_of(request, response, content)
            except (urllib3.exceptions.HTTPError, OSError) as error:
                if attempt >= attempts:
                    reason = f"{request}: no response after {attempt} attempt{'' if attempt == 1 else 's'}"
                    raise NoResponseError(f"{reason} ({type(error).__name__})") from None
                time.sleep(backoff)
                continue
            status, received, _ = response
            retry_after = retry_after_of(received)
            if 200 <= status < 300:
                # A page of changes can be empty because an index lags. `Retry-After` then says when to continue.
                if retry_after and retry_after <= self.__options.max_wait:
                    time.sleep(retry_after)
                return response, data
            is_temporary = status == 429 or status >= 500
            wait = backoff if retry_after is None else retry_after * random.uniform(1, 1.1)
            if not is_temporary or attempt >= attempts or (retry_after or 0) > self.__options.max_wait:
                record = record_of(status, content)
                # A page of a proxy proves nothing about a record, for instance that it does not exist.
                raise (CLASSES.get(status, ApiError) if record else ApiError)(request, status, received, record)
            time.sleep(wait)

    def __send_once(
        self, method: str, url: str, body: object, headers: Mapping[str, str]
    ) -> tuple[Response, bytes]:
        sent = urllib3.HTTPHeaderDict({"Accept-Encoding": "gzip", "User-Agent": USER_AGENT})
        sent.update(headers)
        sent["Content-Type"] = "application/json"
        content_sent = body() if callable(body) else body
        encoded = None if content_sent is None else json.dumps(content_sent).encode()
        timeout = self.__options.timeout
        with open_response(self.pool, method, url, headers=sent, body=encoded, timeout=timeout) as response:
            content = response.read()
        return Response(response.status, response.headers, response.headers.get("x-request-id")), content


def _data_of(request: str, response: Response, content: bytes) -> Any:
    """The content of a successful response. Raises ProtocolError if the connection ended before its content."""
    if not 200 <= response.status < 300:
        return None
    try:
        return json.loads(content)
    except ValueError:
        # `http.client` takes the end of the connection as the end of the headers.
        has_length = "Content-Length" in response.headers or "Transfer-Encoding" in response.headers
        if "json" in response.headers.get("Content-Type", "") or not (content or has_length):
            raise urllib3.exceptions.ProtocolError("the content is cut off") from None
        raise ApiError(request, response.status, response.headers, {}) from None


def _text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_credential(value: object) -> TypeGuard[str]:
    """Whether a value can be sent in a header. If it cannot, `http.client` would raise an error that shows it."""
    return isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]{1,4096}", value) is not None


def _checked_address(text: str) -> str:
    """The address without a slash at its end. It must begin with `https`, except for a local stage."""
    parts = urlsplit(text)
    is_local = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
    if (parts.scheme != "https" and not is_local) or not parts.hostname:
        raise ValueError("base_url must begin with https")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("base_url must have only a host, a port and a path")
    return text.rstrip("/")
