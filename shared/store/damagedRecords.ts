import { log } from "../platform/aws/log.ts";
import { loggedCount } from "../platform/aws/metricSeries.ts";

/** Stands for the text of a damaged record (`recordText.ts`). It is JSON, so that such a record stops no work on others. */
export const damagedText = "{}";

/** The metric of reads of damaged records, for the alarm. */
export const damagedRecordsMetric = "DamagedRecords";

/** Reports a damaged record by its key (docs/operations/alarms.md#damaged-records). Its content is never logged. */
export function reportDamage(pk: string, sk: string | undefined): void {
  log.error("damaged record", { pk, sk, ...loggedCount(damagedRecordsMetric) });
}

/** The work needs the text of a damaged record. It can succeed after the repair of the record. */
export class DamagedRecordError extends Error {
  override readonly name = "DamagedRecordError";

  /** @param pk the partition of the record; the log has its whole key */
  constructor(pk: string) {
    super(`A record of ${pk} is damaged. Repair it (docs/operations/alarms.md#damaged-records), then try again.`);
  }
}
