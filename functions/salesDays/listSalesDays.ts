import { listSalesDays } from "../../shared/api/operations/salesDays.ts";
import { readSalesDays } from "../../shared/domain/replication/readSalesDays.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listSalesDays, async ({ path, query }) => {
  const { total, days } = await readSalesDays(serviceTable(), path.crb_id, query);
  return list({ total, records: days.map((day) => JSON.stringify(day)) }, query.offset);
});
