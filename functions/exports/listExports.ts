import { listExports } from "../../shared/api/operations/exports.ts";
import { readExports, toExport } from "../../shared/domain/exports/storedExport.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listExports, async ({ path, query: { offset, limit } }) => {
  const stored = await readExports(serviceTable(), path.crb_id, new Date());
  const records = stored.slice(offset, offset + limit).map((one) => JSON.stringify(toExport(one)));
  return list({ total: stored.length, records }, offset);
});
