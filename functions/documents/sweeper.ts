import { log } from "../../shared/api/log.ts";
import { serviceBucket } from "../../shared/documents/bucket.ts";
import { sweep } from "../../shared/documents/removals.ts";
import { serviceTable } from "../../shared/table/client.ts";

/** The scheduled function that removes objects nobody has a record of, and finishes removals that were cut off. */
export async function handler(): Promise<void> {
  const swept = await sweep(serviceTable(), serviceBucket(), new Date());
  if (swept.removed + swept.failed > 0) log.info("objects swept", swept);
}
