import type { Context } from "aws-lambda";
import { sweepAccessReports } from "../../shared/domain/accessReports/sweepAccessReports.ts";
import { announceExpiries } from "../../shared/domain/crbs/announceExpiries.ts";
import { sweepExpiredCredentials } from "../../shared/domain/crbs/sweepExpiredCredentials.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { doAll } from "../../shared/domain/documents/endLinks.ts";
import { sweepExports } from "../../shared/domain/exports/sweepExports.ts";
import { sweepStatements } from "../../shared/domain/statements/sweepStatements.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { systemClock } from "../../shared/time/clock.ts";

/** Time reserved before the function's timeout to finish the work in progress. */
const reserveMilliseconds = 15_000;

/**
 * Runs on a schedule. Ends expired exports, and continues interrupted ones, statements and access reports. Ends the
 * resources of expired credentials, such as their exports, and announces expiries. The sweeps run at the same time, so
 * that none waits for another one. If one of them fails, the others continue, and then the function fails, so that an
 * alarm reports it. The next run does what this one leaves.
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const sweeps: [string, () => Promise<{ failed: number }>][] = [
    ["exports swept", () => sweepExports(stores, systemClock, deadline)],
    ["statements swept", () => sweepStatements(stores.table, systemClock, deadline)],
    ["access reports swept", () => sweepAccessReports(stores.table, deadline)],
    ["expired credentials swept", () => sweepExpiredCredentials(stores, systemClock, deadline)],
    ["expiries announced", () => announceExpiries(stores.table, systemClock, deadline)],
  ];
  await doAll(sweeps, async ([name, sweep]) => {
    const swept = await sweep();
    if (Object.values(swept).some((count) => count > 0)) log.info(name, { ...swept });
    if (swept.failed > 0) throw new Error(`not all ${name}`);
  });
}
