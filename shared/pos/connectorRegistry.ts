import type { ReadablePosType } from "../api/pos/connectorProofs.ts";
import type { Connector } from "./connector.ts";
import type { PosClientOptions } from "./framework/posClient.ts";
import { type PartnerKey, partnerKey } from "./partnerKeys.ts";
import { type TestEndpointVariable, testEndpointVariables } from "./testEndpoints.ts";

/** A POS with a connector. */
export interface RegisteredConnector {
  /**
   * address of the POS, and maximum request rate per process and business. Up to five processes read one business at
   * the same time, each a different kind of records
   */
  service: PosClientOptions;
  /** the environment variable with the address of a test endpoint */
  testEndpoint: TestEndpointVariable;
  /** the keys that the POS company issued to this service */
  partnerKeys?: readonly PartnerKey[];
  /** Creates the connector. It imports the connector's code on demand, because one process reads few POS types. */
  load(options: PosClientOptions, partnerKeys: readonly string[]): Promise<Connector>;
}

const alleaves: RegisteredConnector = {
  service: { url: "https://app.alleaves.com/api", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.alleaves,
  async load(options) {
    const { alleavesConnector } = await import("./connectors/alleaves/alleavesConnector.ts");
    return alleavesConnector(options);
  },
};

const blaze: RegisteredConnector = {
  service: { url: "https://api.partners.blaze.me", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.blaze,
  partnerKeys: ["POS_BLAZE_PARTNER_KEY"],
  async load(options, [partnerKey = ""]) {
    const { blazeConnector } = await import("./connectors/blaze/blazeConnector.ts");
    return blazeConnector({ ...options, partnerKey });
  },
};

const canix: RegisteredConnector = {
  service: { url: "https://api.canix.com", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.canix,
  async load(options) {
    const { canixConnector } = await import("./connectors/canix/canixConnector.ts");
    return canixConnector(options);
  },
};

const cova: RegisteredConnector = {
  service: { url: "https://api.covasoft.net", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.cova,
  async load(options) {
    const { covaConnector } = await import("./connectors/cova/covaConnector.ts");
    return covaConnector({ ...options, accountsUrl: elsewhere(options, cova, "https://accounts.iqmetrix.net") });
  },
};

const dutchie: RegisteredConnector = {
  service: { url: "https://api.pos.dutchie.com", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.dutchie,
  partnerKeys: ["POS_DUTCHIE_INTEGRATOR_KEY"],
  async load(options, [integratorKey = ""]) {
    const { dutchieConnector } = await import("./connectors/dutchie/dutchieConnector.ts");
    return dutchieConnector({ ...options, integratorKey });
  },
};

const flourish: RegisteredConnector = {
  service: { url: "https://app.flourishsoftware.com/external/api", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.flourish,
  async load(options) {
    const { flourishConnector } = await import("./connectors/flourish/flourishConnector.ts");
    return flourishConnector(options);
  },
};

const flowhub: RegisteredConnector = {
  service: { url: "https://api.flowhub.co", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.flowhub,
  async load(options) {
    const { flowhubConnector } = await import("./connectors/flowhub/flowhubConnector.ts");
    return flowhubConnector(options);
  },
};

const intacct: RegisteredConnector = {
  service: { url: "https://api.intacct.com", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.intacct,
  partnerKeys: ["POS_INTACCT_SENDER_ID", "POS_INTACCT_SENDER_PASSWORD"],
  async load(options, [id = "", password = ""]) {
    const { intacctConnector } = await import("./connectors/intacct/intacctConnector.ts");
    return intacctConnector({ ...options, sender: { id, password } });
  },
};

const meadow: RegisteredConnector = {
  service: { url: "https://api.getmeadow.com", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.meadow,
  partnerKeys: ["POS_MEADOW_CONSUMER_KEY"],
  async load(options, [consumerKey = ""]) {
    const { meadowConnector } = await import("./connectors/meadow/meadowConnector.ts");
    const menuUrl = elsewhere(options, meadow, "https://daffodil.getmeadow.com");
    return meadowConnector({ ...options, consumerKey, menuUrl });
  },
};

const posabit: RegisteredConnector = {
  service: { url: "https://app.posabit.com/api", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.posabit,
  partnerKeys: ["POS_POSABIT_INTEGRATOR_TOKEN"],
  async load(options, [integratorToken = ""]) {
    const { posabitConnector } = await import("./connectors/posabit/posabitConnector.ts");
    return posabitConnector({ ...options, integratorToken });
  },
};

const treez: RegisteredConnector = {
  service: { url: "https://api.treez.io", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.treez,
  partnerKeys: ["POS_TREEZ_CLIENT_ID", "POS_TREEZ_CERTIFICATE_ID", "POS_TREEZ_PRIVATE_KEY"],
  async load(options, [clientId = "", id = "", privateKey = ""]) {
    const { treezConnector } = await import("./connectors/treez/treezConnector.ts");
    const signedUrl = elsewhere(options, treez, "https://api-prod.treez.io");
    return treezConnector({ ...options, clientId, certificate: { id, privateKey }, signedUrl });
  },
};

/** The connectors by POS type. */
export const connectorRegistry: Readonly<Record<ReadablePosType, RegisteredConnector>> = {
  Alleaves: alleaves,
  Blaze: blaze,
  Canix: canix,
  Cova: cova,
  Dutchie: dutchie,
  "Dutchie Wholesale": dutchie,
  Flourish: flourish,
  "Flourish Wholesale": flourish,
  Flowhub: flowhub,
  Meadow: meadow,
  POSaBIT: posabit,
  "Sage Intacct": intacct,
  Treez: treez,
};

/**
 * The address of a second service of the same POS. A test endpoint replaces all services of a POS, so its address is
 * returned instead.
 */
function elsewhere({ url }: PosClientOptions, { service }: RegisteredConnector, address: string): string {
  return url === service.url ? address : url;
}

/**
 * A connector that uses the current partner keys at each call. If the keys change, the connector is created again,
 * because its cached tokens depend on the keys.
 */
export function loadedConnector({ partnerKeys = [], load }: RegisteredConnector, options: PosClientOptions): Connector {
  let last: { key: string; connector: Promise<Connector> } | undefined;
  const present = async () => {
    const keys = await Promise.all(partnerKeys.map(partnerKey));
    const key = JSON.stringify(keys);
    if (last?.key !== key) last = { key, connector: load(options, keys) };
    return last.connector;
  };
  return {
    verify: async (connection) => (await present()).verify(connection),
    pull: async (connection, request) => (await present()).pull(connection, request),
  };
}
