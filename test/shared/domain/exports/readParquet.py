"""Compares a Parquet file with the JSON lines of the same records, as DuckDB and polars read it."""

import datetime, json, sys
import duckdb
import polars


def plain(value):
    """A value as it is in the JSON of a record; null fields are left out."""
    if isinstance(value, datetime.datetime):
        text = value.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds")
        if value.tzinfo:
            return text.replace("+00:00", "Z")
        return value.isoformat(sep=" ", timespec="milliseconds")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value


file, lines = sys.argv[1:]
with open(lines) as text:
    expected = [plain(json.loads(line)) for line in text]
read = duckdb.connect().execute(f"FROM read_parquet('{file}')")
names = [name for name, *_ in read.description]
found = {
    "DuckDB": [dict(zip(names, row)) for row in read.fetchall()],
    "polars": polars.read_parquet(file).to_dicts(),
}
for reader, rows in found.items():
    for index, (row, record) in enumerate(zip(rows, expected)):
        if plain(row) != record:
            sys.exit(f"{reader}, record {index}: {plain(row)} is not {record}")
    if len(rows) != len(expected):
        sys.exit(f"{reader}: {len(rows)} records instead of {len(expected)}")
print(f"{len(expected)} records")
