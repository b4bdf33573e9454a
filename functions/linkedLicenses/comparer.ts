import type { Context } from "aws-lambda";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { compareLinkedLicenses } from "../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";
import { serviceTable } from "../../shared/store/client.ts";

/** Time reserved before the function's timeout to finish the current link. */
const reserveMilliseconds = 10_000;

/**
 * Runs on a schedule, every hour. Compares the linked licenses with the registers once a night, and again after an
 * import whose own comparison did not finish. Other runs only check that nothing is due.
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  if (isTrial(event)) return;
  const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const compared = await compareLinkedLicenses(stores, { deadline });
  if (compared.links > 0) log.info("licenses compared", { ...compared });
  if (compared.failures > 0) throw new Error("some linked licenses could not be compared");
}
