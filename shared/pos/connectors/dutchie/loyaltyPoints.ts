import { log } from "../../../platform/aws/log.ts";
import { PosError } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { partitionRows, readRow } from "../../framework/readRow.ts";
import { verifyOnRejection } from "../../framework/toPosError.ts";
import type { DutchieApi } from "./dutchieApi.ts";
import { type DutchiePull, locationsOf } from "./dutchiePull.ts";
import { loyalty } from "./responses.ts";

/** A customer's loyalty points as decimal text; null for no points, undefined if unknown. */
export type PointsOf = (customerId: string) => string | null | undefined;

export const unknownPoints: PointsOf = () => undefined;

const day = 24 * 60 * 60_000;

/** The points of all customers, calculated at night. Dutchie's limit forbids two requests within a minute. */
export class LoyaltyPoints {
  // By day, so that a restarted pull does not request them again.
  readonly #kept = new AsyncCache<PointsOf>(4, day);

  /**
   * The points at the pull's locations; the first location that states a customer's points wins. Each process requests them
   * once per pull. A location contributes no points if its key may not read them. A customer in no report has no points only if
   * all reports were read.
   *
   * @param upTo of the pull
   * @returns null if they are unavailable now
   * @throws PosError "credentialsRefused" only
   */
  async of(pull: DutchiePull<"customer">, upTo: string): Promise<PointsOf | null> {
    try {
      return await this.#kept.get(`${locationsOf(pull)} ${upTo.slice(0, 10)}`, () => readAll(pull));
    } catch (error) {
      if (!(error instanceof PosError) || error.failure === "credentialsRefused") throw error;
      const { failure, code } = error;
      log.warn("customers are read without loyalty points", { pos_type: pull.connection.posType, failure, code });
      return null;
    }
  }
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

/**
 * One attempt only: Dutchie limits a second request within a minute. If Dutchie rejects the key only here, the key may not read
 * the report.
 */
async function readReport(api: DutchieApi) {
  const take = (row: unknown) => readRow(loyalty, row, (field) => field("customerId"));
  const rows = await verifyOnRejection(
    () => api.rows(posPath`/reporting/loyalty-snapshot`, {}, take, { attempts: 1 }),
    () => api.identity(),
  );
  return partitionRows(rows);
}
