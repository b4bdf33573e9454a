import type { Table } from "../../../shared/store/client.ts";
import { givenServiceProvider, type OperationRequest } from "../callHandler.ts";

/** A public address that needs no DNS. */
export const url = "https://93.184.216.34/events";

/** A service provider, and calls of the operations on its webhook endpoints. */
export async function givenWebhooks(table: Table) {
  const provider = await givenServiceProvider(table);
  const { call } = provider;
  const at = (endpoint_id: string) => ({ path: { endpoint_id } });
  return {
    ...provider,
    list: () => call("listWebhookEndpoints"),
    create: (body: unknown = { url }, headers: Record<string, string> = {}) =>
      call("createWebhookEndpoint", { body, headers }),
    read: (id: string) => call("getWebhookEndpoint", at(id)),
    update: (id: string, body: unknown) => call("updateWebhookEndpoint", { ...at(id), body }),
    remove: (id: string) => call("deleteWebhookEndpoint", at(id)),
    test: (id: string, body?: object) => call("testWebhookEndpoint", { ...at(id), body }),
    replay: (id: string, body: unknown) => call("replayWebhookEndpoint", { ...at(id), body }),
    deliveries: (id: string, query: OperationRequest["query"] = {}) =>
      call("listWebhookDeliveries", { ...at(id), query }),
    rotate: (id: string) => call("rotateWebhookSecret", at(id)),
  };
}
