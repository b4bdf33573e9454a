import { describe, expect, test } from "vitest";
import { listSales } from "../../../shared/api/operations/sales.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { extractSaleIndexedFields, saleDay } from "../../../shared/store/sales.ts";
import { toLocalTime } from "../../../shared/time/localTime.ts";
import { recordId, setFence } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenCrb } from "../callHandler.ts";

const testTable = useTestTable();
const example = (listSales.success.example as unknown as { data: Record<string, unknown>[] }).data[0] ?? {};

/** Two days on which the clocks change in New York and Denver (but not in Phoenix), and one on which they do not. */
const zones = ["America/New_York", "America/Denver", "America/Phoenix"] as const;
const days = ["2026-03-08", "2026-11-01", "2026-07-04"];

/** The local day by the platform's calendar, which the tested code does not use. */
const dayIn = (timezone: string, instant: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(instant);

describe.each(zones)("sales in %s", (timezone) => {
  test.each(days)("of each half hour around %s belong to the local day of the calendar", async (day) => {
    const table = testTable();
    const crb = await givenCrb(table, timezone);
    const key = { pk: "LEASE", sk: crb.crbId };
    await setFence(table, key, 1);
    const writer = new RecordWriter(table, recordList(crb.crbId, "sale"), {
      fence: { key, number: 1 },
      extractIndexedFields: extractSaleIndexedFields,
      extractSaleDay: saleDay,
    });
    const start = Date.parse(`${day}T00:00:00.000Z`) - 12 * 3_600_000;
    const instants = Array.from({ length: 96 }, (_, halfHour) => start + halfHour * 1_800_000);
    await writer.write(
      instants.map((instant, number) => {
        const date = new Date(instant).toISOString();
        const id = recordId(number);
        return { id, content: { ...example, id, date, local_date: toLocalTime(date, timezone) } };
      }),
    );
    const { json } = await crb.call("listSales", { query: { start_date: [day], end_date: [day] } });
    const expected = instants.filter((instant) => dayIn(timezone, instant) === day);
    const found = json.data.map((sale: { date: string }) => Date.parse(sale.date));
    expect(found.sort()).toEqual(expected.sort());
    const hours = timezone === "America/Phoenix" ? 24 : ({ "2026-03-08": 23, "2026-11-01": 25 }[day] ?? 24);
    expect(json.metadata.total).toBe(hours * 2);
  });
});
