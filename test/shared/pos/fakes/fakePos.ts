import type { Connection, Connector } from "../../../../shared/pos/connector.ts";
import { dutchieConnector } from "../../../../shared/pos/dutchie/dutchieConnector.ts";
import { flowhubConnector } from "../../../../shared/pos/flowhub/flowhubConnector.ts";
import type { ConnectorOptions } from "../../../../shared/pos/reading/connectorOptions.ts";
import { treezConnector } from "../../../../shared/pos/treez/treezConnector.ts";
import { FakeDutchie } from "./fakeDutchie.ts";
import { FakeFlowhub } from "./fakeFlowhub.ts";
import type { FakeServer } from "./fakeServer.ts";
import { FakeTreez } from "./fakeTreez.ts";
import { connectionTo } from "./pulls.ts";
import type { Shop, ShopSize } from "./shop.ts";

/** A fake POS that runs, with what it takes to read it; to be closed at the end. */
export interface FakePos {
  server: FakeServer;
  shop: Shop;
  connection: Connection;
  address: FakeAddress;
  /** a connector to it, as another process would have it */
  connector(options?: Partial<ConnectorOptions>): Connector;
}

/** Where a fake POS is, for another process. */
export interface FakeAddress {
  url: string;
  /** this service's id at Treez */
  clientId?: string;
}

export const posNames = ["dutchie", "flowhub", "treez"] as const;
export type PosName = (typeof posNames)[number];

/** A connector to a fake POS, without pauses, its history ended by ten quiet days. */
export function connectorTo(
  name: PosName,
  { url, clientId = "" }: FakeAddress,
  more: Partial<ConnectorOptions> = {},
): Connector {
  const options = { url, requestsPerSecond: Number.POSITIVE_INFINITY, firstPause: 1, quietDays: 10, ...more };
  switch (name) {
    case "dutchie":
      return dutchieConnector(options);
    case "flowhub":
      return flowhubConnector(options);
    case "treez":
      return treezConnector({ ...options, clientId });
  }
}

/**
 * Starts a fake POS. The same seed and size make the same shop, whose clock shows `now`.
 *
 * @param port any that is free unless given
 */
export async function startFakePos(
  name: PosName,
  seed: number | string,
  size: ShopSize,
  now: () => Date = () => new Date(),
  port = 0,
): Promise<FakePos> {
  const started = async <Server extends FakeServer & { shop: Shop }>(server: Server, connection: Connection) => {
    await server.start(port);
    const address = { url: server.url, ...("clientId" in server && { clientId: server.clientId as string }) };
    return {
      server,
      shop: server.shop,
      address,
      connection,
      connector: (more?: Partial<ConnectorOptions>) => connectorTo(name, address, more),
    };
  };
  switch (name) {
    case "dutchie": {
      const server = new FakeDutchie(seed, size, now);
      return started(server, connectionTo("Dutchie", { recApiKey: "rec-key" }));
    }
    case "flowhub": {
      const server = new FakeFlowhub(seed, size, now);
      return started(server, connectionTo("Flowhub", server.credentials, { locationId: "loc-1" }));
    }
    case "treez": {
      const server = new FakeTreez(seed, size, now);
      return started(server, connectionTo("Treez", server.credentials));
    }
  }
}
