import { describe, expect, test } from "vitest";
import { ReceiptBook } from "../../../../shared/pos/metrc/receiptBook.ts";
import { receipt, receiptDay } from "../../../../shared/pos/metrc/responses.ts";

const row = { Id: 1, SalesDateTime: "2026-03-10T12:00:00", SalesCustomerType: "Consumer", TotalPrice: 50 };

describe("a receipt", () => {
  test.each<[unknown, number]>([
    [null, 0],
    ["", 0],
    [undefined, 0],
    ["0001-01-01T00:00:00", 0],
    ["0001-01-01", 0],
    ["2026-03-11T09:00:00+00:00", 1],
    ["2026-03-11T09:00:00", 1],
    ["2026-03-11", 1],
    ["03/11/2026 09:00", 1],
  ])("that was archived on %j is voided: %i", (ArchivedDate, voided) => {
    const book = new ReceiptBook();
    book.add(receipt.parse({ ...row, ArchivedDate }));
    expect(book.figures("2026-03-10", "2026-03-10")).toMatchObject([{ voided, receipts: 1 - voided }]);
  });

  test.each(["yes", "11 March 2026", "2026-02-31"])("that was archived on %j cannot be read", (ArchivedDate) => {
    const { error } = receipt.safeParse({ ...row, ArchivedDate });
    expect(error?.issues).toMatchObject([{ path: ["archivedDate"], message: "unknown_status" }]);
    expect(receiptDay.parse({ ...row, ArchivedDate })).toBe("2026-03-10");
  });

  test.each(["2026-03-10T12:00:00", "2026-03-10 12:00", "2026-03-10T12:00:00-07:00"])(
    "of %j is of that day",
    (SalesDateTime) => {
      expect(receipt.parse({ ...row, SalesDateTime }).salesDateTime).toMatch(/^2026-03-10/);
      expect(receiptDay.parse({ ...row, SalesDateTime })).toBe("2026-03-10");
    },
  );

  test.each(["2026-03-10T02:00:00Z", "2026-03-10T02:00:00+00:00", "soon"])(
    "of %j is of an unknown local day",
    (SalesDateTime) => {
      const { error } = receipt.safeParse({ ...row, SalesDateTime });
      expect(error?.issues).toMatchObject([{ path: ["salesDateTime"], message: "no_instant" }]);
      expect(receiptDay.parse({ ...row, SalesDateTime })).toBeNull();
    },
  );
});
