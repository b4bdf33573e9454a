import { kindsByName } from "../../shared/api/kinds.ts";
import { listChanges } from "../../shared/api/operations/changes.ts";
import { changes } from "../../shared/http/changesResponse.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { maxResponseBytes } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { followChanges } from "../../shared/store/followChanges.ts";
import { recordList } from "../../shared/store/keys/orderedLists.ts";

export const handler = endpoint(listChanges, async ({ path, query }) => {
  const list = recordList(path.crb_id, kindsByName[path.kind]);
  return changes(await followChanges(serviceTable(), list, query, maxResponseBytes));
});
