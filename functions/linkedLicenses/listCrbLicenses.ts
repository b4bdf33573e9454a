import { listCrbLicenses } from "../../shared/api/operations/linkedLicenses.ts";
import { addOtherCrbs, listLinkedLicenses } from "../../shared/domain/linkedLicenses/readLinks.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listCrbLicenses, async ({ path, query }) => {
  const { total, licenses } = await listLinkedLicenses(serviceTable(), path.sp_id, path.crb_id, query);
  const { sp_id: spId, crb_id: crbId } = path;
  const records = await addOtherCrbs(serviceTable(), { spId, crbId }, licenses);
  return list({ total, records: records.map((license) => JSON.stringify(license)) }, query.offset);
});
