"""Copies, verifies and exports the demo's business with the client in Python, stores deposits, and prints as JSON what it found."""

import gzip
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

from cannabis_business_data import (
    ApiError,
    ChangePage,
    Client,
    ClientCredentials,
    Crb,
    digest_of,
    download_export,
    read_feed,
    verify_copy,
    wait_for_export,
)
from cannabis_business_data.models import DepositRequest, KindName

KINDS: list[KindName] = ["customers", "products", "inventory", "inventory-locations", "sales"]


class Store:
    """A copy in SQLite, as callers make it."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.execute("CREATE TABLE records (kind, id, record, PRIMARY KEY (kind, id))")
        self.db.execute("CREATE TABLE cursors (kind PRIMARY KEY, cursor)")

    def read_cursor(self, kind: KindName) -> str | None:
        row = self.db.execute("SELECT cursor FROM cursors WHERE kind = ?", [kind]).fetchone()
        return row[0] if row else None

    def store_page(self, kind: KindName, page: ChangePage) -> None:
        with self.db:
            if page.reset:
                self.db.execute("DELETE FROM records WHERE kind = ?", [kind])
            rows = [(kind, record["id"], json.dumps(record)) for record in page.records]
            self.db.executemany("REPLACE INTO records VALUES (?, ?, ?)", rows)
            self.db.execute("REPLACE INTO cursors VALUES (?, ?)", [kind, page.cursor])

    def read_records(self, kind: KindName) -> Iterator[Mapping[str, Any]]:
        for (record,) in self.db.execute("SELECT record FROM records WHERE kind = ?", [kind]):
            yield json.loads(record)


def verify_all(client: Client, crb: Crb) -> dict[str, int | str]:
    store = Store()
    verified = {kind: verify_copy(client, crb, kind, store) for kind in KINDS}
    return {kind: one.copy.records if one.is_complete else repr(one) for kind, one in verified.items()}


def export(client: Client, sp_id: str, crb_id: str) -> list[tuple[str, bool]]:
    created = client.create_export(sp_id, crb_id, {"kinds": ["products"], "format": "ndjson"})
    ids = sp_id, crb_id, created["id"]
    wait_for_export(client, *ids)
    with tempfile.TemporaryDirectory() as folder:
        ready, files = download_export(client, *ids, folder)
        [(path, _)] = files
        before = path.stat().st_mtime_ns
        download_export(client, *ids, folder)
        assert path.stat().st_mtime_ns == before, "a complete file was downloaded again"
        path.write_bytes(b"damaged")
        download_export(client, *ids, folder)
        found = digest_of(json.loads(line) for line in gzip.open(path))
    client.delete_export(*ids)
    [manifest] = ready["manifest"]
    return [(path.name, found == (manifest["records"], manifest["digest"]))]


def deposit(client: Client, sp_id: str, crb_id: str) -> list[Any]:
    """Stores two deposits, one of them another time with another amount, and deletes one."""
    ids = sp_id, crb_id
    one: DepositRequest = {"id": "python-1", "posted_date": "2020-01-02", "amount": 100, "type": "cash"}
    other: DepositRequest = {"id": "python-2", "posted_date": "2020-01-02", "amount": 200, "type": "ach"}
    first = client.store_deposits(*ids, {"deposits": [one]})
    more = client.store_deposits(*ids, {"deposits": [{**one, "amount": -100}, other]})
    stored = sorted(each["id"] for each in client.list_deposits(*ids, end_date="2020-01-02")["data"])
    client.delete_deposit(*ids, "python-2")
    left = [each["id"] for each in client.list_deposits(*ids, end_date="2020-01-02")["data"]]
    client.delete_deposit(*ids, "python-1")
    return [first["accepted"], more["accepted"], more["replaced"], stored, left]


def code_of_unknown_customer(client: Client, sp_id: str, crb_id: str) -> str:
    try:
        client.get_crb_customer(sp_id, crb_id, "00000000-0000-0000-0000-000000000000")
    except ApiError as error:
        return error.code
    return "none"


def main(given: Mapping[str, str]) -> None:
    sp_id, crb_id = given["SP_ID"], given["CRB_ID"]
    client = Client(given["BASE_URL"], ClientCredentials(given["CLIENT_ID"], given["CLIENT_SECRET"]))
    own = Client(given["BASE_URL"], given["CRB_SECRET"])
    events = read_feed(lambda cursor: client.list_events(sp_id, cursor=cursor, limit=5))
    found = {
        "name": client.get_crb_info(sp_id, crb_id)["name"],
        "ids": sorted(product["id"] for product in client.iter_crb_products(sp_id, crb_id, limit=100)),
        "verified": verify_all(client, Crb(crb_id, sp_id)),
        "own": verify_all(own, Crb(crb_id)),
        "events": sorted(event["id"] for page in events for event in page["data"]),
        "export": export(client, sp_id, crb_id),
        "deposits": deposit(client, sp_id, crb_id),
        "unknown": code_of_unknown_customer(client, sp_id, crb_id),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(os.environ)
