import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timezones } from "../../../shared/api/enumerations.ts";
import { LOCAL_DATE_TIME } from "../../../shared/api/patterns.ts";
import { fromLocalTime, toLocalTime } from "../../../shared/time/localTime.ts";

// Daylight saving time in 2026 is from March 8 to November 1, at 02:00 of each zone. The offsets are those of the IANA
// time zone database.
describe.each([
  { zone: "America/New_York", begins: "2026-03-08T07:00:00.000Z", ends: "2026-11-01T06:00:00.000Z" },
  { zone: "America/Denver", begins: "2026-03-08T09:00:00.000Z", ends: "2026-11-01T08:00:00.000Z" },
  { zone: "America/Adak", begins: "2026-03-08T12:00:00.000Z", ends: "2026-11-01T11:00:00.000Z" },
])("$zone", ({ zone, begins, ends }) => {
  const around = (instant: string, milliseconds: number) => new Date(Date.parse(instant) + milliseconds).toISOString();

  test("jumps from 02:00 to 03:00 in spring", () => {
    expect(toLocalTime(around(begins, -1), zone)).toBe("2026-03-08 01:59:59.999");
    expect(toLocalTime(begins, zone)).toBe("2026-03-08 03:00:00.000");
    expect(fromLocalTime("2026-03-08 01:59:59.999", zone)).toBe(around(begins, -1));
    expect(fromLocalTime("2026-03-08 03:00:00.000", zone)).toBe(begins);
  });

  test("reads a time that the jump skips as later by the jump", () => {
    expect(fromLocalTime("2026-03-08 02:30:00.000", zone)).toBe(around(begins, 30 * 60_000));
  });

  test("shows 01:00 to 02:00 twice in autumn", () => {
    expect(toLocalTime(around(ends, -1), zone)).toBe("2026-11-01 01:59:59.999");
    expect(toLocalTime(ends, zone)).toBe("2026-11-01 01:00:00.000");
    expect(toLocalTime(around(ends, 3_600_000), zone)).toBe("2026-11-01 02:00:00.000");
  });

  test("reads a time that occurs twice as the first one", () => {
    expect(fromLocalTime("2026-11-01 01:30:00.000", zone)).toBe(around(ends, -30 * 60_000));
    expect(fromLocalTime("2026-11-01 02:00:00.000", zone)).toBe(around(ends, 3_600_000));
  });
});

test.each([
  ["America/Phoenix", "2026-07-01 05:00:00.000"],
  ["Pacific/Honolulu", "2026-07-01 02:00:00.000"],
  ["Pacific/Guam", "2026-07-01 22:00:00.000"],
  ["America/Puerto_Rico", "2026-07-01 08:00:00.000"],
])("%s keeps its time all year", (zone, local) => {
  expect(toLocalTime("2026-07-01T12:00:00.000Z", zone)).toBe(local);
  expect(toLocalTime("2026-01-01T12:00:00.000Z", zone)?.slice(11)).toBe(local.slice(11));
});

test("in every zone, a local time fits the specification and converts back, except in the repeated hour", () => {
  const instants = fc.date({ min: new Date("2000-01-02"), max: new Date("2099-12-30"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...timezones), instants, (zone, instant) => {
      const shown = toLocalTime(instant.toISOString(), zone);
      expect(shown).toMatch(LOCAL_DATE_TIME);
      const back = Date.parse(fromLocalTime(shown ?? "", zone) ?? "");
      expect([0, 3_600_000]).toContain(instant.getTime() - back);
      expect(toLocalTime(new Date(back).toISOString(), zone)).toBe(shown);
    }),
  );
});

test.each([null, "", "soon", "2026-13-01T00:00:00.000Z"])("%j has no local time", (instant) => {
  expect(toLocalTime(instant, "America/Denver")).toBeNull();
});

test("there is no local time outside the years of the specification's pattern", () => {
  expect(toLocalTime("2000-01-01T06:59:59.999Z", "America/Denver")).toBeNull();
  expect(toLocalTime("2000-01-01T07:00:00.000Z", "America/Denver")).toBe("2000-01-01 00:00:00.000");
  expect(toLocalTime("0001-01-01T00:00:00.000Z", "America/Denver")).toBeNull();
});

test.each([
  "2026-02-30 00:00:00.000",
  "2026-02-28 24:00:00.000",
  "2026-02-28",
  "2026-02-28 00:00:00",
  "2026-02-28T00:00:00.000",
  "2026-2-28 00:00:00.000",
  "",
])("%j is not a local time", (local) => {
  expect(fromLocalTime(local, "America/Denver")).toBeNull();
});
