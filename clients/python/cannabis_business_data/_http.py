"""Requests that end in time."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR

import urllib3
from urllib3.connection import HTTPConnection
from urllib3.connectionpool import HTTPConnectionPool


@contextmanager
def open_response(
    pool: urllib3.PoolManager,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    body: bytes | None = None,
    timeout: float,
    max_silence: float | None = None,
) -> Iterator[urllib3.BaseHTTPResponse]:
    """
    Sends a request once. Follows no redirect, so that no other host gets a credential. The content must be read within the
    block: a connection whose response was not read to its end is closed.

    timeout: seconds until the end of the block.
    max_silence: seconds without a byte.
    """
    deadline = time.monotonic() + timeout
    _bound(pool.connection_from_url(url))
    response = pool.request(
        method,
        url,
        body=body,
        headers=headers,
        timeout=urllib3.Timeout(total=timeout, connect=max_silence, read=max_silence),
        redirect=False,
        retries=False,
        preload_content=False,
    )
    try:
        with _time_limit(deadline - time.monotonic(), response.shutdown):
            yield response
    finally:
        response.close()


class _BoundedConnection(HTTPConnection):
    """A connection whose headers arrive in time. The timeout of a socket begins again with each byte."""

    def getresponse(self) -> urllib3.HTTPResponse:  # type: ignore[override]
        with _time_limit(self.timeout or 0, lambda: self.sock.shutdown(SHUT_RDWR)):
            return super().getresponse()


def _bound(pool: HTTPConnectionPool) -> None:
    """Bounds the connections of a pool, which may be of a class of the caller, such as one for a proxy."""
    if not issubclass(pool.ConnectionCls, _BoundedConnection):
        pool.ConnectionCls = type("BoundedConnection", (_BoundedConnection, pool.ConnectionCls), {})


@contextmanager
def _time_limit(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Calls `stop` in another thread, and raises TimeoutError, unless the block ends in time."""
    lock, has_ended, is_late = threading.Lock(), False, False

    def end() -> None:
        nonlocal is_late
        with lock, suppress(OSError, RuntimeError, ValueError):  # The connection may be closed.
            if not has_ended:
                is_late = True
                stop()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception:
        if not is_late:
            raise
    finally:
        timer.cancel()
        with lock:
            has_ended = True
    if is_late:
        raise TimeoutError("the response did not end in time")
