import type { ReadablePosType } from "../api/pos/connectorProofs.ts";
import type { Connection, Connector } from "./connector.ts";
import type { PosClientOptions } from "./framework/posClient.ts";
import { type PartnerKey, partnerKey } from "./partnerKeys.ts";
import { type TestEndpointVariable, testEndpointVariables } from "./testEndpoints.ts";

/** A POS with a connector. */
export interface RegisteredConnector {
  /** address, and maximum request rate per process and business. Up to five processes read one business at once */
  service: PosClientOptions;
  /** the environment variable with the address of a test endpoint */
  testEndpoint: TestEndpointVariable;
  /** the keys that the POS company issued to this service */
  partnerKeys: readonly PartnerKey[];
  /** Creates the connector. It imports the connector's code on demand, because one process reads few POS types. */
  load(options: PosClientOptions, partnerKeys: readonly string[]): Promise<Connector>;
}

/**
 * Registers a connector.
 *
 * @param load its third parameter returns the address of a second service of the same POS. A test endpoint replaces all
 * services of a POS, so its address is returned instead
 */
function registered(
  name: keyof typeof testEndpointVariables,
  url: string,
  partnerKeys: readonly PartnerKey[],
  load: (
    options: PosClientOptions,
    partnerKeys: readonly string[],
    elsewhere: (address: string) => string,
  ) => Promise<Connector>,
): RegisteredConnector {
  return {
    service: { url, requestsPerSecond: 1 },
    testEndpoint: testEndpointVariables[name],
    partnerKeys,
    load: (options, keys) => load(options, keys, (address) => (options.url === url ? address : options.url)),
  };
}

const dutchie = registered(
  "dutchie",
  "https://api.pos.dutchie.com",
  ["POS_DUTCHIE_INTEGRATOR_KEY"],
  async (options, [integratorKey = ""]) => {
    const { dutchieConnector } = await import("./connectors/dutchie/dutchieConnector.ts");
    return dutchieConnector({ ...options, integratorKey });
  },
);

const flourish = registered("flourish", "https://app.flourishsoftware.com/external/api", [], async (options) => {
  const { flourishConnector } = await import("./connectors/flourish/flourishConnector.ts");
  return flourishConnector(options);
});

/** The connectors by POS type. */
export const connectorRegistry: Readonly<Record<ReadablePosType, RegisteredConnector>> = {
  Alleaves: registered("alleaves", "https://app.alleaves.com/api", [], async (options) => {
    const { alleavesConnector } = await import("./connectors/alleaves/alleavesConnector.ts");
    return alleavesConnector(options);
  }),
  Blaze: registered(
    "blaze",
    "https://api.partners.blaze.me",
    ["POS_BLAZE_PARTNER_KEY"],
    async (options, [key = ""]) => {
      const { blazeConnector } = await import("./connectors/blaze/blazeConnector.ts");
      return blazeConnector({ ...options, partnerKey: key });
    },
  ),
  Canix: registered("canix", "https://api.canix.com", [], async (options) => {
    const { canixConnector } = await import("./connectors/canix/canixConnector.ts");
    return canixConnector(options);
  }),
  Cova: registered("cova", "https://api.covasoft.net", [], async (options, _, elsewhere) => {
    const { covaConnector } = await import("./connectors/cova/covaConnector.ts");
    return covaConnector({ ...options, accountsUrl: elsewhere("https://accounts.iqmetrix.net") });
  }),
  Dutchie: dutchie,
  "Dutchie Wholesale": dutchie,
  Flourish: flourish,
  "Flourish Wholesale": flourish,
  Flowhub: registered("flowhub", "https://api.flowhub.co", [], async (options) => {
    const { flowhubConnector } = await import("./connectors/flowhub/flowhubConnector.ts");
    return flowhubConnector(options);
  }),
  Meadow: registered(
    "meadow",
    "https://api.getmeadow.com",
    ["POS_MEADOW_CONSUMER_KEY"],
    async (options, [consumerKey = ""], elsewhere) => {
      const { meadowConnector } = await import("./connectors/meadow/meadowConnector.ts");
      return meadowConnector({ ...options, consumerKey, menuUrl: elsewhere("https://daffodil.getmeadow.com") });
    },
  ),
  POSaBIT: registered(
    "posabit",
    "https://app.posabit.com/api",
    ["POS_POSABIT_INTEGRATOR_TOKEN"],
    async (options, [integratorToken = ""]) => {
      const { posabitConnector } = await import("./connectors/posabit/posabitConnector.ts");
      return posabitConnector({ ...options, integratorToken });
    },
  ),
  "Sage Intacct": registered(
    "intacct",
    "https://api.intacct.com",
    ["POS_INTACCT_SENDER_ID", "POS_INTACCT_SENDER_PASSWORD"],
    async (options, [id = "", password = ""]) => {
      const { intacctConnector } = await import("./connectors/intacct/intacctConnector.ts");
      return intacctConnector({ ...options, sender: { id, password } });
    },
  ),
  Treez: registered(
    "treez",
    "https://api.treez.io",
    ["POS_TREEZ_CLIENT_ID", "POS_TREEZ_CERTIFICATE_ID", "POS_TREEZ_PRIVATE_KEY"],
    async (options, [clientId = "", id = "", privateKey = ""], elsewhere) => {
      const { treezConnector } = await import("./connectors/treez/treezConnector.ts");
      const signedUrl = elsewhere("https://api-prod.treez.io");
      return treezConnector({ ...options, clientId, certificate: { id, privateKey }, signedUrl });
    },
  ),
};

/** A connector that passes each call on to the connector for its connection. */
export const forwardingConnector = (find: (connection: Connection) => Connector | Promise<Connector>): Connector => ({
  verify: async (connection) => (await find(connection)).verify(connection),
  pull: async (connection, request) => (await find(connection)).pull(connection, request),
});

/** A connector that uses the current partner keys. It is created again if they change, as its tokens depend on them. */
export function loadedConnector({ partnerKeys, load }: RegisteredConnector, options: PosClientOptions): Connector {
  let last: { key: string; connector: Promise<Connector> } | undefined;
  return forwardingConnector(async () => {
    const keys = await Promise.all(partnerKeys.map(partnerKey));
    const key = JSON.stringify(keys);
    if (last?.key !== key) last = { key, connector: load(options, keys) };
    return last.connector;
  });
}
