/** Values of the plain types of docs/spec.md#identifiers-times-and-money, and invalid ones that look alike. */
export const id = "3c8f1b70-5d2e-5a94-b6c3-f27e90a1d845";
export const otherId = "5F0D9C1E-2B7A-4C63-8E15-A9340B6D27F8";
export const badIds = ["", "3c8f1b705d2e5a94b6c3f27e90a1d845", `${id}0`, ` ${id}`, 5];

export const dateTime = "2026-03-02T19:41:07.000Z";
export const badDateTimes = [
  "2026-03-02",
  "2026-03-02T19:41:07Z",
  "2026-03-02T19:41:07.000",
  "2026-03-02T19:41:07.000+00:00",
  "2026-02-30T19:41:07.000Z",
  1772480467000,
];

export const localDateTime = "2026-03-02 12:41:07.000";
export const badLocalDateTimes = [
  dateTime,
  "2026-03-02 12:41:07",
  "2026-03-02 24:00:00.000",
  "1999-03-02 12:41:07.000",
];
