import { createAccessReport } from "../../shared/api/operations/accessReports.ts";
import { createAccessReport as create } from "../../shared/domain/accessReports/createAccessReport.ts";
import { requestReportRun } from "../../shared/domain/accessReports/reportMessage.ts";
import { toReport } from "../../shared/domain/accessReports/storedReport.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(createAccessReport, async ({ path, body, principal }) => {
  const stored = await create(serviceTable(), path.sp_id, body, principal);
  await requestReportRun(stored);
  return { body: () => ({ text: JSON.stringify(toReport(stored)), logged: { recordId: stored.id } }) };
});
