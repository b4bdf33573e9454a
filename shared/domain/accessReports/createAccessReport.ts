import { randomUUID } from "node:crypto";
import { ServiceError } from "../../api/errors.ts";
import type { AccessReportCreation } from "../../api/schemas/accessReport.ts";
import { toPerson } from "../../api/schemas/person.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import type { Table } from "../../store/client.ts";
import { forServiceProvider } from "../../store/crbs.ts";
import { countOnDay, secondsToNextDay } from "../../store/dayCount.ts";
import { accessReportDueKey, accessReportsPartition } from "../../store/keys/accessReports.ts";
import type { Maker } from "../../store/madeWith.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { fileLifeMs, reportItem, type StoredReport } from "./storedReport.ts";

/** Maximum number of access reports of a service provider that are created on a UTC day (docs/spec.md#limits). */
const maxPerDay = 20;

/**
 * Stores an access report that a worker then makes.
 *
 * @throws ServiceError "throttled" at the limit of the day, with the seconds to the next day; "unauthorized" if the
 *   credential or its key has ended meanwhile; "notFound" if the service provider is being removed
 */
export async function createAccessReport(
  table: Table,
  spId: string,
  { crb_id = undefined, record_id = undefined, from, to }: AccessReportCreation,
  by: Maker,
  clock: Clock = systemClock,
): Promise<StoredReport> {
  const now = clock.now();
  const stored: StoredReport = {
    ...{ id: randomUUID(), sp_id: spId, crb_id: crb_id ?? null, record_id: record_id ?? null, from, to },
    ...{ status: "queued", error: null, created_date: now.toISOString(), created_by: by.clientId },
    created_by_person: toPerson(by.person),
    expires_date: new Date(now.getTime() + fileLifeMs).toISOString(),
    ...{ requests: null, unreadable: null, file: null, held_until: 0 },
  };
  const counted = countOnDay(table, accessReportsPartition(spId), maxPerDay, now);
  const due = table.putWrite({ ...accessReportDueKey(stored.created_date, spId, stored.id) });
  await retryOnConflict(clock, async () => {
    try {
      await withActiveCredential(table, by, 1, (check) =>
        forServiceProvider(table, spId, (isThere) =>
          table.transact([isThere, ...check, counted, table.putWrite(reportItem(stored)), due]),
        ),
      );
    } catch (error) {
      if (isUnmet(error, 2)) throw usedUp(now);
      throw error;
    }
  });
  return stored;
}

const usedUp = (now: Date) =>
  new ServiceError("throttled", {
    code: "report_day_limit",
    message: `A service provider has ${maxPerDay} new access reports a UTC day at most. Try again after Retry-After.`,
    retryAfter: secondsToNextDay(now),
  });
