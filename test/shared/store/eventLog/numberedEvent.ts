import type { NewEvent } from "../../../../shared/store/eventLog/newEvent.ts";

/** An event that carries a number, by which a test recognizes it. */
export const numberedEvent = (spId: string, crbId: string | null, number: number): NewEvent => ({
  type: "sales_day.revised",
  spId,
  crbId,
  data: { date: "2026-03-01", revision: number },
});
