import { isUploaded } from "../api/pos/posTypes.ts";
import type { Connection, Connector } from "./connector.ts";
import { dutchieConnector } from "./dutchie/dutchieConnector.ts";
import { flowhubConnector } from "./flowhub/flowhubConnector.ts";
import { type PartnerKey, partnerKey } from "./partnerKeys.ts";
import type { PosClientOptions } from "./reading/posClient.ts";
import { sandboxConnector } from "./sandbox/sandboxConnector.ts";
import type { StandInVariable } from "./standIns.ts";
import { treezConnector } from "./treez/treezConnector.ts";

/** A POS that the service can really read. */
interface RealPos {
  /** where it is, and how often a process may ask it for one business: five of them may, each for another kind */
  service: PosClientOptions;
  connect(options: PosClientOptions): Connector;
}

const dutchie: RealPos = {
  service: { url: "https://api.pos.dutchie.com", requestsPerSecond: 1 },
  connect: (options) =>
    withPartnerKeys(["POS_DUTCHIE_INTEGRATOR_KEY"], ([integratorKey = ""]) =>
      dutchieConnector({ ...options, integratorKey }),
    ),
};

const flowhub: RealPos = {
  service: { url: "https://api.flowhub.co", requestsPerSecond: 1 },
  connect: flowhubConnector,
};

const treez: RealPos = {
  service: { url: "https://api.treez.io", requestsPerSecond: 1 },
  connect: (options) =>
    withPartnerKeys(
      ["POS_TREEZ_CLIENT_ID", "POS_TREEZ_CERTIFICATE_ID", "POS_TREEZ_PRIVATE_KEY"],
      ([clientId = "", id = "", privateKey = ""]) =>
        treezConnector({ ...options, clientId, certificate: { id, privateKey }, signedUrl: signedUrlOf(options) }),
    ),
};

/** Version 3 of Treez's API is elsewhere; a stand-in is both. */
function signedUrlOf({ url }: PosClientOptions): string {
  return url === treez.service.url ? "https://api-prod.treez.io" : url;
}

/** By POS type, with the environment variable that names a stand-in for it. */
const real: Readonly<Record<string, { pos: RealPos; standIn: StandInVariable }>> = {
  Dutchie: { pos: dutchie, standIn: "POS_DUTCHIE_URL" },
  "Dutchie Wholesale": { pos: dutchie, standIn: "POS_DUTCHIE_URL" },
  Flowhub: { pos: flowhub, standIn: "POS_FLOWHUB_URL" },
  Treez: { pos: treez, standIn: "POS_TREEZ_URL" },
};

/** Nobody works with a stand-in, so it is asked without pauses. */
const unpaced = { requestsPerSecond: Number.POSITIVE_INFINITY, firstPause: 20 };

/** Those in use, by POS and address: a connector keeps tokens and the pace of its requests. */
const connected = new Map<string, Connector>();

/**
 * The connector of a POS type, or undefined where there is none in this stage.
 *
 * - With POS_CONNECTORS=sandbox (the local and the sandbox stage) every type is simulated, its time moving every
 *   SANDBOX_TICK_SECONDS (900 unless set).
 * - With POS_CONNECTORS=real it is the POS itself, at an address that is fixed.
 * - POS_DUTCHIE_URL, POS_FLOWHUB_URL and POS_TREEZ_URL each name a stand-in that is read instead, by the same connector.
 *   With STAGE=prod they do nothing.
 *
 * What is uploaded is asked for nowhere, in no stage.
 */
export function findConnector(posType: string): Connector | undefined {
  if (isUploaded(posType)) return undefined;
  const found = realOf(posType);
  const isProd = process.env.STAGE === "prod";
  const address = isProd ? undefined : found && process.env[found.standIn];
  const standIn =
    found && address ? connector(found.pos, { ...unpaced, url: standInUrl(found.standIn, address) }) : undefined;
  if (process.env.POS_CONNECTORS === "sandbox" && !isProd) {
    const simulated = sandboxConnector(sandboxTickSeconds());
    return standIn ? besideStandIn(simulated, standIn) : simulated;
  }
  if (standIn) return standIn;
  return found && process.env.POS_CONNECTORS === "real" ? connector(found.pos, found.pos.service) : undefined;
}

/** Simulated stages without stand-ins say so to whoever bundles, which leaves out all that is real (infra/bundle.ts). */
function realOf(posType: string) {
  return process.env.POS_CONNECTORS === "sandbox" && process.env.POS_STAND_INS === "none"
    ? undefined
    : Object.hasOwn(real, posType)
      ? real[posType]
      : undefined;
}

/** A connector that has the service's keys with the POS company as they are at each call; tokens belong to them too. */
function withPartnerKeys(names: readonly PartnerKey[], make: (keys: readonly string[]) => Connector): Connector {
  let last: { key: string; connector: Connector } | undefined;
  const present = async () => {
    const keys = await Promise.all(names.map(partnerKey));
    const key = JSON.stringify(keys);
    if (last?.key !== key) last = { key, connector: make(keys) };
    return last.connector;
  };
  return {
    verify: async (connection) => (await present()).verify(connection),
    pull: async (connection, request) => (await present()).pull(connection, request),
  };
}

/** A connection without credentials, as the demo's are, is simulated all the same. */
function besideStandIn(simulated: Connector, standIn: Connector): Connector {
  const of = ({ credentials }: Connection) => (Object.keys(credentials).length > 0 ? standIn : simulated);
  return {
    verify: (connection) => of(connection).verify(connection),
    pull: (connection, request) => of(connection).pull(connection, request),
  };
}

function connector({ service, connect }: RealPos, options: PosClientOptions): Connector {
  const key = `${service.url} ${options.url}`;
  const known = connected.get(key) ?? connect(options);
  connected.set(key, known);
  return known;
}

function standInUrl(variable: string, text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new Error(`${variable} must be an address such as http://127.0.0.1:4000`);
  }
  return url.href.replace(/\/+$/, "");
}

function sandboxTickSeconds(): number {
  const seconds = Number(process.env.SANDBOX_TICK_SECONDS ?? 900);
  if (!(seconds > 0)) {
    throw new Error("SANDBOX_TICK_SECONDS must be a number above 0");
  }
  return seconds;
}
