import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { lacks } from "../../../../shared/api/pos/posTypes.ts";
import type { Connection, Connector } from "../../../../shared/pos/connector.ts";
import type { ConnectorOptions } from "../../../../shared/pos/framework/connectorOptions.ts";
import type { PartnerKey } from "../../../../shared/pos/partnerKeys.ts";
import type { FakeRequest, FakeServer } from "./fakeServer.ts";
import { connectionTo } from "./pulls.ts";
import type { Shop, ShopSize } from "./shop.ts";
import { endpointVariableOf, type FakeSystem, fakeSystems, type PosName } from "./systems.ts";

export { type PosName, posNames } from "./systems.ts";

/** A running fake POS, with everything that is necessary to read it. The test closes its server. */
export interface FakePos {
  server: FakeServer;
  shop: Shop;
  connection: Connection;
  address: FakeAddress;
  /** a connector to the fake, as another process would have it */
  connector(options?: OwnOptions): Connector;
}

/** Options of connectors, including those of one connector alone. */
export type OwnOptions = Partial<ConnectorOptions> & { [ofOne: string]: unknown };

/** The address of a fake POS, for another process. */
export interface FakeAddress {
  url: string;
  /** the service's own keys, which the POS company issues */
  partnerKeys: Partial<Record<PartnerKey, string>>;
}

/** The traits of one fake. */
export function traitsOf(name: PosName): FakeSystem["traits"] {
  return fakeSystems[name].traits;
}

/** The kinds of records that a POS has. */
export function kindsOf(name: PosName): RecordKind[] {
  return recordKinds.filter((kind) => !lacks(fakeSystems[name].posType, kind));
}

/** Those of the given kinds that a POS has. */
export function kindsAmong<Kind extends RecordKind>(name: PosName, ...some: Kind[]): Kind[] {
  return some.filter((kind) => kindsOf(name).includes(kind));
}

/** Whether a request verifies the credentials. */
export function isVerifying(name: PosName, { path, query, body }: FakeRequest): boolean {
  return [query.size > 0 ? `${path}?${query}` : path, path + body].some((text) => traitsOf(name).verifying.test(text));
}

/** The environment variables with which the service reads a fake instead of the POS. */
export function testEndpointEnvironment(name: PosName, { url, partnerKeys }: FakeAddress): Record<string, string> {
  return { [endpointVariableOf(name)]: url, ...partnerKeys };
}

/** A connector to a fake POS, without pauses. Its history ends after ten days without sales. */
export function connectorTo(name: PosName, { url, partnerKeys }: FakeAddress, more: OwnOptions = {}): Connector {
  const options = { url, requestsPerSecond: Number.POSITIVE_INFINITY, firstPauseMs: 1, quietDays: 10, ...more };
  return fakeSystems[name].connector(options, partnerKeys);
}

/**
 * Starts a fake POS. The same seed and size lead to the same shop. Its clock shows `now`.
 * @param port 0 selects a free port
 */
export async function startFakePos(
  name: PosName,
  seed: number | string,
  size: ShopSize,
  now: () => Date = () => new Date(),
  port = 0,
): Promise<FakePos> {
  const { posType, Server, more } = fakeSystems[name];
  const server = new Server(seed, size, now);
  await server.start(port);
  const address = { url: server.url, partnerKeys: server.partnerKeys ?? {} };
  return {
    server,
    shop: server.shop,
    address,
    connection: connectionTo(posType, server.credentials, more),
    connector: (options) => connectorTo(name, address, options),
  };
}
