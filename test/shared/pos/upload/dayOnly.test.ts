import { expect, test } from "vitest";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { type RowRejection, UploadConnector } from "../../../../shared/pos/upload/uploadConnector.ts";
import { uploadedRecords } from "../../../../shared/pos/upload/uploadedRecords.ts";

const connection = {
  id: "c",
  posType: "Manual Upload Retail",
  timezone: "America/Denver",
  businessType: "retail",
} as const;

/** The dates of a file's sales, or the reasons why they are rejected. */
async function read(dates: readonly string[]) {
  const rows = (async function* () {
    for (const [i, date] of dates.entries()) yield { line: i + 1, value: { pos_sale_id: `S${i}`, date } };
  })();
  const options = { firstEntry: 0, complete: false, timezone: connection.timezone } as const;
  const upload = new UploadConnector("sale", uploadedRecords(connection).sale, rows, options);
  const found: string[] = [];
  const rejections: RowRejection[] = [];
  for (let isLast = false; !isLast; ) {
    const page = await upload.pull({ ...connection } as never, { kind: "sale", now: new Date() } as never);
    found.push(...(page.records as PosSale[]).map(({ date }) => date));
    rejections.push(...upload.rejectionsOf(page.rejected));
    isLast = "watermark" in page.next;
  }
  return { found, reasons: rejections.map(({ line, field, reason }) => `${line} ${field} ${reason}`) };
}

test.each(["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.000+00:00", "2026-03-01 00:00-05:00", "2026-06-01T00:00Z"])(
  "sales with the time %s in a file without any other time of day are rejected, because they are days",
  async (date) => {
    const { found, reasons } = await read(Array<string>(600).fill(date));
    expect(found).toEqual([]);
    expect(reasons).toHaveLength(600);
    expect(reasons[0]).toBe("1 date day_only");
  },
);

test("a sale at midnight of another clock is read in a file with other times of day", async () => {
  const dates = ["2026-03-01T18:30:00Z", "2026-03-02T00:00:00Z"];
  const found = ["2026-03-01T18:30:00.000Z", "2026-03-02T00:00:00.000Z"];
  expect(await read(dates)).toEqual({ found, reasons: [] });
  expect(await read(dates.toReversed())).toEqual({ found: found.toReversed(), reasons: [] });
});

test.each(["2026-03-01 00:00", "3/1/2026 0:00", "2026-03-01T00:00:00-07:00", "2026-03-01T07:00:00Z"])(
  "a day that is written as %s, midnight of the business's clock, is read",
  async (date) => {
    expect(await read([date])).toEqual({ found: ["2026-03-01T07:00:00.000Z"], reasons: [] });
  },
);
