import type { Connection, Connector } from "../../../../shared/pos/connector.ts";
import { dutchieConnector } from "../../../../shared/pos/dutchie/dutchieConnector.ts";
import { flowhubConnector } from "../../../../shared/pos/flowhub/flowhubConnector.ts";
import type { PosClientOptions } from "../../../../shared/pos/reading/posClient.ts";
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
  /** a connector to it, as another process would have it: without pauses, its history ended by ten quiet days */
  connector(options?: Partial<PosClientOptions>): Connector;
}

export const posNames = ["dutchie", "flowhub", "treez"] as const;
export type PosName = (typeof posNames)[number];

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
  const options = (server: FakeServer) => ({
    url: server.url,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    firstPause: 1,
    quietDays: 10,
  });
  switch (name) {
    case "dutchie": {
      const server = new FakeDutchie(seed, size, now);
      await server.start(port);
      return {
        server,
        shop: server.shop,
        connection: connectionTo("Dutchie", { recApiKey: "rec-key" }),
        connector: (more) => dutchieConnector({ ...options(server), ...more }),
      };
    }
    case "flowhub": {
      const server = new FakeFlowhub(seed, size, now);
      await server.start(port);
      return {
        server,
        shop: server.shop,
        connection: connectionTo("Flowhub", server.credentials, { locationId: "loc-1" }),
        connector: (more) => flowhubConnector({ ...options(server), ...more }),
      };
    }
    case "treez": {
      const server = new FakeTreez(seed, size, now);
      await server.start(port);
      return {
        server,
        shop: server.shop,
        connection: connectionTo("Treez", server.credentials),
        connector: (more) => treezConnector({ ...options(server), clientId: server.clientId, ...more }),
      };
    }
  }
}
