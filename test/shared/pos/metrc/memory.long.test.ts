import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { close, listen } from "../../../../infra/local/listen.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { peakMemoryOf } from "../../../bench/memory/peakMemory.ts";

const program = new URL("../../../bench/memory/stateDaysWorker.ts", import.meta.url);
const [days, perDay, pageSize] = [25, 40_000, 20];
const dayMs = 86_400_000;
const today = new Date().toISOString().slice(0, 10);

let server: Server | undefined;
afterEach(() => server && close(server));

/** The number of receipts before an instant: one each 2.16 seconds since the first day, all of them finalized. */
const first = Date.parse(addDays(today, -days));
const stepMs = dayMs / perDay;
const countBefore = (instant: number) => Math.min(days * perDay, Math.max(0, Math.ceil((instant - first) / stepMs)));

/** A page of receipts, made when it is requested, since a million of them would not fit into this process. */
function page(list: string, query: URLSearchParams): object {
  const [start = 0, end = 0] = ["lastModifiedStart", "lastModifiedEnd"].map((name) =>
    Date.parse(query.get(name) ?? ""),
  );
  const [from, to] = list === "inactive" ? [countBefore(start), countBefore(end)] : [0, 0];
  const begin = from + (Number(query.get("pageNumber")) - 1) * pageSize;
  const length = Math.max(0, Math.min(pageSize, to - begin));
  const Data = Array.from({ length }, (_, row) => {
    const at = new Date(first + (begin + row) * stepMs).toISOString();
    const names = { PatientLicenseNumber: "Plantedpatient", RecordedByUserName: "Planteduser" };
    const times = { SalesDateTime: at.slice(0, 19), LastModified: at, ArchivedDate: null };
    return { Id: 5_000_000_000 + begin + row, SalesCustomerType: "Consumer", TotalPrice: 12.5, ...times, ...names };
  });
  return { Data, TotalRecords: to - from };
}

test("a million receipts are read below 256 MB", async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const body =
      pathname === "/facilities/v2"
        ? [{ License: { Number: "LICENSE-1" } }]
        : page(pathname.split("/").at(-1) ?? "", searchParams);
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  const access = { state: "CO", vendorKey: "vendor", userKey: "user", licenseNumber: "LICENSE-1" };
  const range = { timeZone: "UTC", fromDate: addDays(today, -days), toDate: today, since: null, againFrom: null };
  const { peak, ...read } = await peakMemoryOf<{ receipts: number; seconds: number }>(program, {
    request: { ...access, ...range },
    url,
  });
  expect(read).toMatchObject({
    receipts: days * perDay,
    total: days * perDay * 1_250,
    complete: days,
    unreadFrom: null,
  });
  expect(peak).toBeLessThan(256 * 1024 * 1024);
}, 600_000);
