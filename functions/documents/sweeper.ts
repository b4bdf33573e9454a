import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { sweepRemovals } from "../../shared/domain/documents/removals.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * The scheduled function that removes objects nobody has a record of, and finishes removals that were cut off. What could
 * not be removed fails the whole, once all else is done, so that it does not go unnoticed.
 */
export async function handler(): Promise<void> {
  const swept = await sweepRemovals(serviceTable(), serviceBucket(), new Date());
  if (swept.removed + swept.failed > 0) log.info("objects swept", swept);
  if (swept.failed > 0) throw new Error("not all objects that are due were removed");
}
