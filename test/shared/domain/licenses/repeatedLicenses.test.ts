import { expect, test } from "vitest";
import { ContentFile } from "../../../../shared/domain/licenses/contentFile.ts";
import { michigan } from "../../../../shared/domain/licenses/layouts/michigan.ts";
import { readFileLicenses } from "../../../../shared/domain/licenses/readFileLicenses.ts";
import type { RegisterLicense } from "../../../../shared/domain/licenses/registerLicense.ts";
import { fileRows } from "./registerFile.ts";

const register = { state: "MI", authority: undefined, layout: michigan } as const;

type Row = readonly [status: string, expires_at: string, issued_at?: string];

/** The status, the words and the expiry of the license that these rows of one file have, and the notes. */
async function readRows(rows: readonly Row[]) {
  using contents = new ContentFile();
  const values = rows.map(([reported_license_status, expires_at, issued_at = ""]) => ({
    ...{ reported_license_status, expires_at, issued_at },
  }));
  const { licenses, notes } = await readFileLicenses(register, fileRows(values), contents);
  const [license] = [...licenses.values()];
  const content = JSON.parse(contents.read(license ?? expect.fail())) as RegisterLicense["content"];
  const { uniform_license_status_description: uniform, reported_license_status: words, expires_at } = content;
  return { read: [uniform, words, expires_at], notes: notes.map(({ reason }) => reason) };
}

const orders = (rows: readonly Row[]) => [rows, rows.toReversed()];

const contradictory = [
  [["Active", "2026-06-01"], ["Suspended", "2026-06-01"], "2026-06-01"],
  [["Active", "2023-06-01"], ["Revoked", "2027-06-01"], "2027-06-01"],
  [["Active", "2027-06-01"], ["Revoked", "2023-06-01"], "2027-06-01"],
  [["Active", ""], ["Closed", ""], null],
  [["Active", "2026-06-01"], ["Expired", "2026-06-01"], "2026-06-01"],
  [["Active", "2026-06-01"], ["Expired", "2027-06-01"], "2027-06-01"],
  [["Active", "2026-06-01"], ["Pending", ""], null],
  [["Active", "2027-06-01", "2026-05-01"], ["Suspended", "2026-06-01", "2025-06-01"], "2027-06-01"],
] as const;

test.each(contradictory)(
  "the status of a license with the rows %s and %s is Unknown in either order",
  async (one, other, expiresAt) => {
    for (const rows of orders([one, other])) {
      const { read, notes } = await readRows(rows);
      expect(read).toEqual(["Unknown", [one[0], other[0]].sort().join("; "), expiresAt]);
      expect(notes).toEqual([
        "has the license of line 2 with another status, and neither is certainly older; the status is Unknown",
      ]);
    }
  },
);

test.each([
  [["Expired", "2026-01-31"], ["Revoked", "2026-01-31"], "Revoked"],
  [["Expired", ""], ["Surrendered", ""], "Surrendered"],
  [["Revoked", "2026-01-31"], ["Surrendered", "2026-01-31"], "Surrendered"],
] as const)(
  "of the rows %s and %s, which end together, the same one counts in either order",
  async (one, other, words) => {
    for (const rows of orders([one, other]))
      expect((await readRows(rows)).read.slice(0, 2)).toEqual(["Inactive", words]);
  },
);

const renewed = [
  [
    ["Suspended", "2025-06-01", "2024-06-02"],
    ["Active", "2026-06-01", "2025-06-02"],
  ],
  [
    ["Active", "2025-06-01", "2024-06-02"],
    ["Revoked", "2026-06-01", "2025-06-02"],
  ],
  [
    ["Expired", "2025-06-01"],
    ["Active", "2026-06-01"],
  ],
  [
    ["Expired", "2025-06-01"],
    ["Suspended", "2026-06-01"],
  ],
  [
    ["Active", "2025-06-01"],
    ["Active", "2026-06-01"],
  ],
  [
    ["Revoked", "2025-06-01"],
    ["License Void", "2026-06-01"],
  ],
  [
    ["Active", "2020-06-01"],
    ["Active", ""],
  ],
] as const;

test.each(renewed)("of the rows %s and %s, the later one is used in either order", async (earlier, later) => {
  for (const rows of orders([earlier, later])) {
    const { read, notes } = await readRows(rows);
    expect(read.slice(1)).toEqual([later[0], later[1] || null]);
    expect(notes).toEqual([
      `has the license of line 2; line ${rows.indexOf(later) + 2} is used, because no row ends later`,
    ]);
  }
});

test("a third row does not change that two rows contradict each other", async () => {
  const rows = [
    ["Active", "2026-06-01"],
    ["Expired", "2025-06-01"],
    ["Suspended", "2026-06-01"],
  ] as const;
  for (const some of [rows, rows.toReversed(), [rows[1], rows[0], rows[2]]]) {
    const { read, notes } = await readRows(some);
    expect(read).toEqual(["Unknown", "Active; Suspended", "2026-06-01"]);
    expect(notes).toHaveLength(2);
  }
});

test("a repeated row is no second row", async () => {
  const { read, notes } = await readRows([
    ["Active", "2026-06-01"],
    ["Active", "2026-06-01"],
  ]);
  expect([read, notes]).toEqual([["Active", "Active", "2026-06-01"], []]);
});
