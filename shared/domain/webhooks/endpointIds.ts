import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type Table, unchanged } from "../../store/client.ts";
import { webhookEndpointsKey } from "../../store/keys/webhooks.ts";

/**
 * The item with a service provider's endpoint ids. Each creation and deletion changes the item, so concurrent creations cannot
 * exceed the maximum.
 */
interface EndpointIds {
  ids: readonly string[];
  version: number | undefined;
}

export async function readEndpointIds(table: Table, spId: string): Promise<EndpointIds> {
  const item = await table.get(webhookEndpointsKey(spId), { consistent: true });
  return { ids: (item?.ids as string[] | undefined) ?? [], version: item?.version as number | undefined };
}

export const endpointIdsWrite = (
  table: Table,
  spId: string,
  { version }: EndpointIds,
  ids: readonly string[],
): TransactWriteItem =>
  table.putWrite({ ...webhookEndpointsKey(spId), ids, version: (version ?? 0) + 1 }, unchanged("version", version));
