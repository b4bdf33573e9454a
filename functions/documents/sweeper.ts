import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { sweepRemovals } from "../../shared/domain/documents/removals.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * Runs on a schedule. Removes objects without a record, and completes interrupted removals. If a removal fails, the
 * function still tries all other removals and then fails, so that an alarm reports it.
 */
export async function handler(): Promise<void> {
  const swept = await sweepRemovals(serviceTable(), serviceBucket(), new Date());
  if (swept.removed + swept.failed > 0) log.info("objects swept", swept);
  if (swept.failed > 0) throw new Error("not all objects that are due were removed");
}
