"""Waits for exports, and downloads their files."""

import hashlib
import os
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import urllib3

from ._client import Client
from ._http import open_response
from ._transport import USER_AGENT
from .models import Export, ExportFile

_MAX_ATTEMPTS = 5


class DownloadedFile(NamedTuple):
    path: Path
    file: ExportFile


def wait_for_export(
    client: Client,
    sp_id: str,
    crb_id: str,
    export_id: str,
    *,
    on_progress: Callable[[Export], None] | None = None,
    timeout: float = 86_400,
) -> Export:
    """
    Waits until an export is ready. Calls `on_progress` after each request, about every ten seconds.
    Raises RuntimeError if the export has failed, expired or was deleted; TimeoutError after `timeout` seconds.
    """
    deadline, wait = time.monotonic() + timeout, 0.5
    while True:
        current = client.get_export(sp_id, crb_id, export_id)
        if on_progress is not None:
            on_progress(current)
        if current["status"] == "ready":
            return current
        if current["status"] in ("failed", "expired", "deleted"):
            raise RuntimeError(f"the export is {current['status']} ({current['error']})")
        if time.monotonic() + wait > deadline:
            raise TimeoutError(f"the export is still {current['status']}")
        time.sleep(wait)
        wait = min(wait * 2, 10)


def download_export(
    client: Client, sp_id: str, crb_id: str, export_id: str, folder: str | Path, *, timeout: float = 600
) -> tuple[Export, list[DownloadedFile]]:
    """
    Downloads the files of a ready export into a folder, and verifies each. Files that are complete are not downloaded
    again, so repeat the call after an interruption. A file gets its name, such as `sales-1.parquet`, once it is complete.

    timeout: seconds for one file.
    Raises RuntimeError after five attempts without a new file.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    attempt, missing = 0, -1
    while True:
        # Each request gets new links, because a link expires.
        current = wait_for_export(client, sp_id, crb_id, export_id)
        files = [DownloadedFile(folder / _name_of(file, current["format"]), file) for file in current["files"]]
        failures = []
        for path, file in files:
            reason = _complete_file(client, path, file, timeout)
            if reason is not None:
                failures.append(f"{file['kind']} {file['part']}: {reason}")
        if not failures:
            return current, files
        attempt = attempt + 1 if len(failures) == missing else 1
        missing = len(failures)
        if attempt >= _MAX_ATTEMPTS:
            raise RuntimeError(f"the export cannot be downloaded: {'; '.join(failures)}")
        time.sleep(2**attempt * random.uniform(0.25, 0.5))


def _name_of(file: ExportFile, format: str) -> str:
    """The file's name. The service cannot name a file outside the folder."""
    name = f"{file['kind']}-{file['part']}.{'ndjson.gz' if format == 'ndjson' else format}"
    if re.fullmatch(r"[\w-]+-\d+\.[\w.]+", name, re.ASCII) is None:
        raise RuntimeError("the export has a file whose name is not valid")
    return name


def _complete_file(client: Client, path: Path, file: ExportFile, timeout: float) -> str | None:
    """Downloads a file unless it is complete. Returns why that failed, without the link, which is a secret."""
    if _is_complete(path, file):
        return None
    link = file["download_link"] or ""
    if urlsplit(link).scheme not in ("https", urlsplit(client.base_url).scheme):
        return "its link is missing or not encrypted"
    draft, size, headers = path.with_name(f"{path.name}.part"), 0, {"User-Agent": USER_AGENT}
    try:
        opened = open_response(client.pool, "GET", link, headers=headers, timeout=timeout, max_silence=30)
        with opened as response, draft.open("wb") as content:
            if response.status != 200:
                return f"the store responded with {response.status}"
            for chunk in response.stream(2**18, decode_content=False):
                content.write(chunk)
                size += len(chunk)
                if size > file["bytes"]:
                    return "the download has too many bytes"
        if not _is_complete(draft, file):
            return "its content differs from its SHA-256"
        os.replace(draft, path)
        return None
    except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        return f"the download failed ({type(error).__name__})"
    finally:
        draft.unlink(missing_ok=True)


def _is_complete(path: Path, file: ExportFile) -> bool:
    if not path.is_file() or path.stat().st_size != file["bytes"]:
        return False
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == file["sha256"]
