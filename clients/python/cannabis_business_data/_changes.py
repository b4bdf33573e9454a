"""Keeps a copy of records up to date, and verifies it."""

import hashlib
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from ._client import Client
from ._operations import CrbClient
from .models import Changes, Customer, Events, Inventory, KindName, Location, Product, RetailSale, WholesaleSale

Record = Customer | Product | Inventory | Location | RetailSale | WholesaleSale
Page = TypeVar("Page", Changes, Events)

_MAX_REPEATED_CURSORS = 60
_MAX_ATTEMPTS = 10


class Crb(NamedTuple):
    """The ids of a CRB: with `sp_id` for the credential of a service provider, without it for that of the CRB."""

    crb_id: str
    sp_id: str | None = None


@dataclass(frozen=True)
class ChangePage:
    """A page of changes, with the cursor to store in the same transaction."""

    #: Records in their current state. Store each over the one with the same `id`.
    records: list[Record]
    cursor: str
    #: The service was restored from a backup: delete all records of this kind first.
    reset: bool


class ChangeStore(Protocol):
    """Your copy of the records."""

    def read_cursor(self, kind: KindName) -> str | None:
        """The stored cursor of a kind; None at first."""

    def store_page(self, kind: KindName, page: ChangePage) -> None:
        """Stores a page and its cursor in one transaction: a crash then loses neither, and repeats at most this page."""


class VerifiableStore(ChangeStore, Protocol):
    """A copy that can be verified."""

    def read_records(self, kind: KindName) -> Iterable[Mapping[str, Any]]:
        """All stored records of a kind, in any order."""


def read_feed(read_page: Callable[[str | None], Page], cursor: str | None = None) -> Iterator[Page]:
    """
    The pages of changes, events or another list with cursors, until there are no more at present. Only `has_more` shows the end: a
    page may be empty before it. Only the cursors of changes and events lead to later records. Read every other list again without
    a cursor: new records can come before the cursor.

    read_page: reads the page after a cursor, such as `lambda cursor: client.list_events(sp_id, cursor=cursor)`.
    Raises RuntimeError if the service repeats a cursor without end.
    """
    repeated = 0
    while True:
        page = read_page(cursor)
        if not isinstance(page, dict) or not {"data", "cursor", "has_more"} <= page.keys():
            raise RuntimeError("the response is not a page of a feed")
        yield page
        if not page["has_more"]:
            return
        repeated = repeated + 1 if page["cursor"] == cursor else 0
        if repeated >= _MAX_REPEATED_CURSORS:
            raise RuntimeError(f"the cursor has not advanced for {repeated} pages")
        cursor = page["cursor"]


def follow_changes(client: Client, crb: Crb | CrbClient, kind: KindName, store: ChangeStore, limit: int | None = None) -> int:
    """
    Brings a copy of one kind of records up to date, one transaction for each page.
    Returns the number of records that were stored.
    """

    def read_page(cursor: str | None) -> Changes:
        if crb.sp_id is None:
            return client.list_changes(crb.crb_id, kind, cursor=cursor, limit=limit)
        return client.list_crb_changes(crb.sp_id, crb.crb_id, kind, cursor=cursor, limit=limit)

    count = 0
    for page in read_feed(read_page, store.read_cursor(kind)):
        store.store_page(kind, ChangePage(page["data"], page["cursor"], page.get("reset", False)))
        count += len(page["data"])
    return count


class Summary(NamedTuple):
    """The number of records of a set, and their digest."""

    records: int
    #: 64 hex digits. None if the operator must rebuild the list first.
    digest: str | None


class Verification(NamedTuple):
    is_complete: bool
    copy: Summary
    service: Summary


def digest_of(records: Iterable[Mapping[str, Any]]) -> Summary:
    """
    The digest of records, as `listCrbReplications`, exports and sales days have it. Equal digests prove that no record is
    missing or outdated.
    """
    count, sums = 0, [0] * 8
    for record in records:
        line = f"{record['id']} {record.get('svc_updated_date') or record.get('svc_created_date')}"
        numbers = struct.unpack(">8I", hashlib.sha256(line.encode()).digest())
        sums = [(one + other) % 2**32 for one, other in zip(sums, numbers)]
        count += 1
    return Summary(count, "".join(f"{number:08x}" for number in sums))


def verify_copy(client: Client, crb: Crb | CrbClient, kind: KindName, store: VerifiableStore) -> Verification:
    """
    Brings a copy of one kind up to date, and compares its digest with that of the service.
    Raises RuntimeError if the list changes during each of ten attempts.
    """
    follow_changes(client, crb, kind, store)
    for _ in range(_MAX_ATTEMPTS):
        if crb.sp_id is None:
            replications = client.list_replications(crb.crb_id)
        else:
            replications = client.list_crb_replications(crb.sp_id, crb.crb_id)
        listed = next(one for one in replications["data"] if one["kind"] == kind)
        if follow_changes(client, crb, kind, store) > 0:
            continue  # The digest may include a change that the copy did not have.
        copy = digest_of(store.read_records(kind))
        service = Summary(listed["records"], listed["digest"])
        return Verification(copy.digest == service.digest, copy, service)
    raise RuntimeError(f"{kind}: the list changed during every attempt; verify it later")
