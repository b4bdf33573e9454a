import { log } from "../../../platform/aws/log.ts";
import { PosError } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { partitionRows, readRow } from "../../framework/readRow.ts";
import { verifyOnRejection } from "../../framework/toPosError.ts";
import { type DutchieApi, type DutchiePull, locationsOf } from "./dutchieApi.ts";
import { loyalty } from "./responses.ts";

/** A customer's loyalty points as decimal text; null for no points, undefined if unknown. */
export type PointsOf = (customerId: string) => string | null | undefined;

export const unknownPoints: PointsOf = () => undefined;

const day = 24 * 60 * 60_000;

/**
 * Makes a function that returns the points of all customers, from reports that Dutchie calculates at night. Each process
 * requests the reports once per day of `upTo`, the end of the period that the pull reads: Dutchie rejects a second request
 * for a report within a minute, and a restarted pull must not request the reports again.
 *
 * If several reports state a customer's points, the first report counts. A location is skipped if its key may not read the
 * report. If all reports were read, a customer in no report has no points; otherwise the customer's points are unknown.
 *
 * The function returns null if the reports cannot be read now. It throws PosError only with "credentialsRefused".
 */
export function loyaltyPoints(): (pull: DutchiePull<"customer">, upTo: string) => Promise<PointsOf | null> {
  const known = new AsyncCache<PointsOf>(4, day);
  return async (pull, upTo) => {
    try {
      return await known.get(`${locationsOf(pull)} ${upTo.slice(0, 10)}`, () => readAll(pull));
    } catch (error) {
      if (!(error instanceof PosError) || error.failure === "credentialsRefused") throw error;
      const { failure, code } = error;
      log.warn("customers are read without loyalty points", { pos_type: pull.connection.posType, failure, code });
      return null;
    }
  };
}

async function readAll({ stores }: DutchiePull<"customer">): Promise<PointsOf> {
  const points = new Map<string, string>();
  let isWhole = true;
  for (const { api } of stores) {
    const report = await readFirstPermitted([() => readReport(api), async () => null]);
    if (!report || report.rejected.length > 0) isWhole = false;
    for (const { customerId, loyaltyBalance } of report?.rows ?? []) {
      if (loyaltyBalance !== null && !points.has(customerId)) points.set(customerId, loyaltyBalance);
    }
  }
  return (customerId) => points.get(customerId) ?? (isWhole ? null : undefined);
}

/** Makes one attempt: Dutchie rejects a second one within a minute. A rejected key may only lack the report. */
async function readReport(api: DutchieApi) {
  const take = (row: unknown) => readRow(loyalty, row, "customerId");
  const rows = await verifyOnRejection(
    () => api.rows(posPath`/reporting/loyalty-snapshot`, {}, take, { attempts: 1 }),
    () => api.identity(),
  );
  return partitionRows(rows);
}
