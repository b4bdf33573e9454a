import { sweepAccessReports } from "../../shared/domain/accessReports/sweepAccessReports.ts";
import { announceExpiries } from "../../shared/domain/crbs/announceExpiries.ts";
import { sweepExpiredCredentials } from "../../shared/domain/crbs/sweepExpiredCredentials.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { sweepExports } from "../../shared/domain/exports/sweepExports.ts";
import { sweepStatements } from "../../shared/domain/statements/sweepStatements.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * Runs on a schedule. Ends expired exports, and continues interrupted ones, statements and access reports. Ends the
 * resources of expired credentials, such as their exports, and announces expiries. If one of them fails, the function
 * still tries the others, and then fails, so that an alarm reports it.
 */
export async function handler(): Promise<void> {
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const swept = await sweepExports(stores);
  if (swept.ended + swept.queued + swept.failed > 0) log.info("exports swept", { ...swept });
  const statements = await sweepStatements(stores.table);
  if (statements.ended + statements.queued + statements.failed > 0) log.info("statements swept", { ...statements });
  const reports = await sweepAccessReports(stores.table);
  if (reports.queued + reports.failed > 0) log.info("access reports swept", { ...reports });
  const credentials = await sweepExpiredCredentials(stores);
  if (credentials.expired + credentials.failed > 0) log.info("expired credentials swept", { ...credentials });
  const notices = await announceExpiries(stores.table);
  if (notices.announced + notices.failed > 0) log.info("expiries announced", { ...notices });
  if (swept.failed > 0) throw new Error("not all exports that are due were swept");
  if (statements.failed > 0) throw new Error("not all statements that are due were swept");
  if (reports.failed > 0) throw new Error("not all access reports that are due were swept");
  if (credentials.failed > 0) throw new Error("not all expired credentials were swept");
  if (notices.failed > 0) throw new Error("not all expiries of credentials were announced");
}
