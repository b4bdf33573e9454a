import type { RecordKind } from "../../api/kinds.ts";
import type { Clock } from "../../time/clock.ts";
import type { PosError, PullRequest } from "../connector.ts";
import type { ListPage } from "./pagedList.ts";
import { readFirstPermitted } from "./readFirstPermitted.ts";
import { remainingMs } from "./remainingMs.ts";

/**
 * Passes on the rows of a list that only adds fields to the records of a main list. If the extra list shifts, rows may
 * be missed; the next pull reads the extra list again. The reading takes at most half of the time until the deadline,
 * so that time remains for the records themselves.
 *
 * @param fetch reads page `index`, from 0; `before` is the number of preceding rows
 * @param isNotGiven whether a failure means that the POS does not offer this list; the reading then ends without an
 * error
 * @returns whether the list was read to its end
 */
export async function readExtraRows(
  { request, clock }: { request: Pick<PullRequest<RecordKind>, "deadline">; clock: Clock },
  fetch: (index: number, before: number) => Promise<ListPage>,
  take: (row: unknown) => void,
  isNotGiven: (error: PosError) => boolean,
): Promise<boolean> {
  const least = remainingMs(request, clock) / 2;
  const read = async () => {
    const ids = new Set<unknown>();
    for (let index = 0, before = 0; remainingMs(request, clock) >= least; index++) {
      const { rows, isLast } = await fetch(index, before);
      const isNew = rows.some((row) => !ids.has((row as { id?: unknown } | null)?.id));
      if (!isNew) return true;
      for (const row of rows) {
        ids.add((row as { id?: unknown } | null)?.id);
        take(row);
      }
      if (isLast) return true;
      before += rows.length;
    }
    return false;
  };
  return readFirstPermitted([read, async () => false], isNotGiven);
}
