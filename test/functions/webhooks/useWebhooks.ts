import { handler as create } from "../../../functions/webhooks/createWebhookEndpoint.ts";
import { handler as remove } from "../../../functions/webhooks/deleteWebhookEndpoint.ts";
import { handler as read } from "../../../functions/webhooks/getWebhookEndpoint.ts";
import { handler as deliveries } from "../../../functions/webhooks/listWebhookDeliveries.ts";
import { handler as list } from "../../../functions/webhooks/listWebhookEndpoints.ts";
import { handler as replay } from "../../../functions/webhooks/replayWebhookEndpoint.ts";
import { handler as rotate } from "../../../functions/webhooks/rotateWebhookSecret.ts";
import { handler as send } from "../../../functions/webhooks/testWebhookEndpoint.ts";
import { handler as update } from "../../../functions/webhooks/updateWebhookEndpoint.ts";
import type { Table } from "../../../shared/store/client.ts";
import { givenServiceProvider } from "../callHandler.ts";

const all = "/service-providers/{sp_id}/webhook-endpoints";
const one = `${all}/{endpoint_id}`;

/** A public address that needs no DNS. */
export const url = "https://93.184.216.34/events";

/** A service provider, and calls of the operations on its webhook endpoints. */
export async function givenWebhooks(table: Table) {
  const provider = await givenServiceProvider(table);
  const at = (endpoint_id: string) => ({ path: { endpoint_id } });
  return {
    ...provider,
    list: () => provider.call(list, { resource: all }),
    create: (body: unknown = { url }, headers: Record<string, string> = {}) =>
      provider.call(create, { resource: all, method: "POST", body, headers }),
    read: (id: string) => provider.call(read, { resource: one, ...at(id) }),
    update: (id: string, body: unknown) => provider.call(update, { resource: one, method: "PUT", ...at(id), body }),
    remove: (id: string) => provider.call(remove, { resource: one, method: "DELETE", ...at(id) }),
    test: (id: string, body?: object) =>
      provider.call(send, { resource: `${one}/test`, method: "POST", ...at(id), ...(body && { body }) }),
    replay: (id: string, body: unknown) =>
      provider.call(replay, { resource: `${one}/replay`, method: "POST", ...at(id), body }),
    deliveries: (id: string, query: Record<string, string[]> = {}) =>
      provider.call(deliveries, { resource: `${one}/deliveries`, ...at(id), query }),
    rotate: (id: string) => provider.call(rotate, { resource: `${one}/secret`, method: "POST", ...at(id) }),
  };
}
