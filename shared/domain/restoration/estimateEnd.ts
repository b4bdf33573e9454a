import type { Restoration } from "../../store/restoration.ts";

/**
 * Estimates when all CRBs will be open: at the average pace since the first worker began. Some large CRBs at the end take
 * longer, because each is the work of one worker.
 *
 * @returns undefined before a CRB is open
 */
export function estimateEnd(
  { started_at }: Pick<Restoration, "started_at">,
  { open, left }: { open: number; left: number },
  now: Date,
): Date | undefined {
  if (!started_at || open <= 0) return undefined;
  return new Date(now.getTime() + ((now.getTime() - Date.parse(started_at)) / open) * left);
}
