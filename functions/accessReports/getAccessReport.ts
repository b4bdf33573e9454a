import { notFound } from "../../shared/api/errors.ts";
import { getAccessReport } from "../../shared/api/operations/accessReports.ts";
import { readReport, reportWithLink } from "../../shared/domain/accessReports/storedReport.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getAccessReport, async ({ path }) => {
  const stored = await readReport(serviceTable(), path.sp_id, path.report_id);
  if (!stored) throw notFound("access report");
  return { body: async () => ({ text: JSON.stringify(await reportWithLink(serviceBucket(), stored)) }) };
});
