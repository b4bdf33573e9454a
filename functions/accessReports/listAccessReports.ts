import { listAccessReports } from "../../shared/api/operations/accessReports.ts";
import { listReports, toReport } from "../../shared/domain/accessReports/storedReport.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listAccessReports, async ({ path, query }) => {
  const { records, ...rest } = await listReports(serviceTable(), path.sp_id, query);
  return page({ ...rest, records: records.map((stored) => toReport(stored)) });
});
