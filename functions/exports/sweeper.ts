import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { sweepExports } from "../../shared/domain/exports/sweepExports.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * Runs on a schedule. Ends expired exports, and continues interrupted ones. If an export fails, the function still tries
 * the others and then fails, so that an alarm reports it.
 */
export async function handler(): Promise<void> {
  const swept = await sweepExports({ table: serviceTable(), bucket: serviceBucket() });
  if (swept.ended + swept.queued + swept.failed > 0) log.info("exports swept", { ...swept });
  if (swept.failed > 0) throw new Error("not all exports that are due were swept");
}
