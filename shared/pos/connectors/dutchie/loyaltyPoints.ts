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

/** A customer's loyalty points as decimal text: null where there are none, undefined where nobody tells. */
export type PointsOf = (customerId: string) => string | null | undefined;

/** Tells nobody's points. */
export const unknownPoints: PointsOf = () => undefined;

const day = 24 * 60 * 60_000;

/** The points of all customers: figures of the night, by Dutchie's limit never to be asked for twice in a minute. */
export class LoyaltyPoints {
  // By day, so that a pull that is begun anew does not ask again.
  readonly #kept = new AsyncCache<PointsOf>(4, day);

  /**
   * The points that the locations tell, the first one's where several do; each process that is at a pull asks once. A
   * location whose key may not read them tells none; who is named nowhere has no points only where all were read.
   *
   * @param upTo of the pull
   * @returns null where they cannot be had now
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

/** One attempt: whoever asks twice in a minute is limited. A key that is refused here only may not read the report. */
async function readReport(api: DutchieApi) {
  const take = (row: unknown) => readRow(loyalty, row, (field) => field("customerId"));
  const rows = await verifyOnRejection(
    () => api.rows(posPath`/reporting/loyalty-snapshot`, {}, take, { attempts: 1 }),
    () => api.identity(),
  );
  return partitionRows(rows);
}
