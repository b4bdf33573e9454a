import { expect, test } from "vitest";
import { parseRegisterDate } from "../../../shared/time/parseRegisterDate.ts";

test.each([
  ...["2024-11-03", "11/3/2024", "11/03/2024", "2024-11-03T00:00:00Z", "2024-11-03T00:00:00.000", "2024-11-03 00:00"],
  ...[
    "2024-11-03T23:30:00-08:00",
    "2024-11-03 23:30:00 UTC",
    "11/3/2024 12:00:00 AM",
    "11/3/2024 5:30 p.m.",
    "11/3/2024  0:00",
  ],
])("%s is a day, whatever time follows", (text) => expect(parseRegisterDate(text)).toBe("2024-11-03"));

test.each([
  ...[
    "11/3/2024 garbage",
    "2024-11-03 garbage",
    "2024-11-03T00:00:00 or later",
    "11/3/2024 - 11/3/2025",
    "11/3/2024?",
    "11/3/2024 12",
  ],
  ...[
    "11/3/24",
    "45599",
    "2024-02-30",
    "13/1/2024",
    "Nov 3, 2024",
    "3.11.2024",
    "2024-11",
    "2024-11-03 extended",
    "11/3/2024\nx",
  ],
])("%s is no day", (text) => expect(parseRegisterDate(text)).toBeUndefined());
