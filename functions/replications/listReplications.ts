import { listReplications } from "../../shared/api/operations/replications.ts";
import { readReplications } from "../../shared/domain/replication/readReplications.ts";
import { replicationIntervals } from "../../shared/domain/replication/replicationIntervals.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listReplications, async ({ path }) => {
  const replications = await readReplications(serviceTable(), path.crb_id, replicationIntervals());
  const records = replications.map((one) => JSON.stringify(one));
  return list({ total: records.length, records }, 0);
});
