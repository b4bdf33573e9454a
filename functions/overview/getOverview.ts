import { getOverview } from "../../shared/api/operations/overview.ts";
import { readOverview } from "../../shared/domain/overview/readOverview.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getOverview, async ({ path, query }) => {
  const { total, rows } = await readOverview(serviceTable(), path.sp_id, query);
  return list({ total, records: rows.map((row) => JSON.stringify(row)) }, query.offset);
});
