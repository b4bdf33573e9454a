import { expect, test } from "vitest";
import { date, dateTime, localDateTime, uuid } from "../../../../shared/api/schemas/scalars.ts";

// The description states formats in place of these rules, so the comparison with releases does not find a change of them.

test.each([
  ["uuid", uuid, ["3c8f1b70-5d2e-5a94-b6c3-f27e90a1d845", "5F0D9C1E-2B7A-4C63-8E15-A9340B6D27F8"]],
  ["dateTime", dateTime, ["2026-03-02T19:41:07.000Z"]],
  ["localDateTime", localDateTime, ["2026-03-02 12:41:07.000"]],
  ["date", date, ["1988-09-14"]],
] as const)("%s accepts its form", (_, schema, values) => {
  for (const value of values) expect(schema.parse(value)).toBe(value);
});

const id = "3c8f1b70-5d2e-5a94-b6c3-f27e90a1d845";

test.each([
  ["uuid", uuid, ["", id.replaceAll("-", ""), `${id}0`, ` ${id}`, 5]],
  [
    "dateTime",
    dateTime,
    [
      "2026-03-02",
      "2026-03-02T19:41:07Z",
      "2026-03-02T19:41:07.000",
      "2026-03-02T19:41:07.000+00:00",
      "2026-02-30T19:41:07.000Z",
      1772480467000,
    ],
  ],
  [
    "localDateTime",
    localDateTime,
    ["2026-03-02T19:41:07.000Z", "2026-03-02 12:41:07", "2026-03-02 24:00:00.000", "1999-03-02 12:41:07.000"],
  ],
  ["date", date, ["1988-9-14", "1988-02-30", "2026-03-02T19:41:07.000Z"]],
] as const)("%s rejects values that look alike", (_, schema, values) => {
  for (const value of values) expect(schema.safeParse(value).success, String(value)).toBe(false);
});
