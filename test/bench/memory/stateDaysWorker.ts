import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readStateDays } from "../../../shared/pos/metrc/readStateDays.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Reads the days of a license in Metrc alone in its process, which also makes the pages, each when it is requested. Prints the
// sums of the days, the time in seconds, and its peak memory.

const { days, perDay } = JSON.parse(process.argv[2] ?? "{}") as { days: number; perDay: number };
const pageSize = 20;
const today = new Date().toISOString().slice(0, 10);
const first = Date.parse(addDays(today, -days));
const stepMs = 86_400_000 / perDay;

/** The number of receipts before an instant. They are evenly spread from the first day to the present day, and all of them are finalized. */
const countBefore = (instant: number) => Math.min(days * perDay, Math.max(0, Math.ceil((instant - first) / stepMs)));

function page(path: string, query: URLSearchParams): object {
  if (path === "/facilities/v2") return [{ License: { Number: "LICENSE-1" } }];
  const [start = 0, end = 0] = ["lastModifiedStart", "lastModifiedEnd"].map((name) =>
    Date.parse(query.get(name) ?? ""),
  );
  const [from, to] = path.endsWith("/inactive") ? [countBefore(start), countBefore(end)] : [0, 0];
  const begin = from + (Number(query.get("pageNumber")) - 1) * pageSize;
  const Data = Array.from({ length: Math.max(0, Math.min(pageSize, to - begin)) }, (_, row) => {
    const at = new Date(first + (begin + row) * stepMs).toISOString();
    const names = { PatientLicenseNumber: "Plantedpatient", RecordedByUserName: "Planteduser" };
    const times = { SalesDateTime: at.slice(0, 19), LastModified: at, ArchivedDate: null };
    return { Id: 5_000_000_000 + begin + row, SalesCustomerType: "Consumer", TotalPrice: 12.5, ...times, ...names };
  });
  return { Data, TotalRecords: to - from };
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(page(pathname, searchParams)));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const began = performance.now();
const read = await readStateDays(
  {
    ...{ state: "CO" as const, vendorKey: "vendor", userKey: "user", licenseNumber: "LICENSE-1", timeZone: "UTC" },
    ...{ fromDate: addDays(today, -days), toDate: today, since: null, againFrom: null },
    remainingMs: () => Number.POSITIVE_INFINITY,
  },
  { url, requestsPerSecond: Number.POSITIVE_INFINITY },
);
tellPeakMemory({
  receipts: read.days.reduce((sum, { receipts }) => sum + receipts, 0),
  total: read.days.reduce((sum, { total }) => sum + total, 0),
  complete: read.days.filter(({ complete }) => complete).length,
  seconds: (performance.now() - began) / 1_000,
});
process.exit();
