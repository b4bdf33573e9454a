import { type Table, unchanged } from "../../store/client.ts";
import { shardNumbers } from "../../store/eventLog/shards.ts";
import { eventsPartition, webhookListenerKey } from "../../store/keys/events.ts";
import { enabledWebhookKey, webhookEndpointKey, webhookPositionKey } from "../../store/keys/webhooks.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Endpoint, requireEndpoint } from "./endpoint.ts";
import { endpointIdsWrite, readEndpointIds } from "./endpointIds.ts";

/**
 * Deletes an endpoint with its secrets and positions in one transaction, so that workers lose their leases. The delivery log
 * expires later.
 *
 * @returns the endpoint before its deletion
 * @throws ServiceError "notFound"
 */
export function deleteEndpoint(table: Table, spId: string, endpointId: string): Promise<Endpoint> {
  return retryOnConflict(table.clock, async () => {
    const endpoint = await requireEndpoint(table, spId, endpointId);
    const known = await readEndpointIds(table, spId);
    const left = known.ids.filter((id) => id !== endpointId);
    await table.transact([
      endpointIdsWrite(table, spId, known, left),
      table.deleteWrite(webhookEndpointKey(spId, endpointId), unchanged("version", endpoint.version)),
      table.deleteWrite(enabledWebhookKey(spId, endpointId)),
      ...shardNumbers.map((shard) => table.deleteWrite(webhookPositionKey(endpointId, shard))),
      ...(left.length > 0
        ? []
        : shardNumbers.map((shard) => table.deleteWrite(webhookListenerKey(eventsPartition(spId, shard))))),
    ]);
    return endpoint;
  });
}
