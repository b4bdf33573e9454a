import { isExperimental, isReadable } from "../api/pos/connectorProofs.ts";
import { isUploaded } from "../api/pos/posTypes.ts";
import { type Connector, PosError } from "./connector.ts";
import {
  connectorRegistry,
  forwardingConnector,
  loadedConnector,
  type RegisteredConnector,
} from "./connectorRegistry.ts";
import type { PosClientOptions } from "./framework/posClient.ts";
import { isSimulated } from "./isSimulated.ts";
import { unpaced } from "./testEndpoints.ts";

/** Connectors in use, by POS and address. They cache tokens and limit their request rate. */
const connected = new Map<string, Connector>();

/**
 * The connector of a POS type, or undefined if this stage does not offer the type to businesses that connect.
 *
 * - With POS_CONNECTORS=sandbox (the local and the sandbox stage) every type is simulated. The simulated data change
 *   every SANDBOX_TICK_SECONDS (default: 900).
 * - With POS_CONNECTORS=real, the connector reads the real POS at its fixed address. An experimental connector is
 *   offered only if EXPERIMENTAL_CONNECTORS, a comma-separated list, names its POS type.
 * - Variables such as POS_DUTCHIE_URL (`testEndpointVariables`) each name a test endpoint. If such a variable is set,
 *   the connector reads the test endpoint instead of the POS. With STAGE=prod these variables have no effect.
 *
 * POS types whose records are uploaded have no connector on any stage.
 */
export function findConnector(posType: string): Connector | undefined {
  if (isUploaded(posType)) return undefined;
  const found = realOf(posType);
  const address = process.env.STAGE === "prod" ? undefined : found && process.env[found.testEndpoint];
  const testEndpoint =
    found && address ? connector(found, { ...unpaced, url: testEndpointUrl(found.testEndpoint, address) }) : undefined;
  // The bundler knows the first value. The bundle of a stage with real POS systems then contains no simulated POS.
  if (process.env.POS_CONNECTORS === "sandbox" && isSimulated()) {
    const simulated = simulatedConnector(sandboxTickSeconds());
    return testEndpoint ? sandboxOrTestEndpoint(simulated, testEndpoint) : simulated;
  }
  if (testEndpoint) return testEndpoint;
  return found && process.env.POS_CONNECTORS === "real" && isOffered(posType)
    ? connector(found, found.service)
    : undefined;
}

/**
 * The connector that replicates a connected business, or undefined if its records are uploaded.
 *
 * A business stays connected when its stage stops offering its POS type. Its runs then fail as `unreachable`, so that
 * callers and operators see the problem. The runs continue once the stage offers the type again.
 */
export function findConnectedConnector(posType: string): Connector | undefined {
  return findConnector(posType) ?? (isUploaded(posType) ? undefined : notOffered);
}

const failAsNotOffered = () => Promise.reject(new PosError("unreachable", { code: "not_offered" }));
const notOffered: Connector = { verify: failAsNotOffered, pull: failAsNotOffered };

function isOffered(posType: string): boolean {
  if (!isReadable(posType)) return false;
  return !isExperimental(posType) || (process.env.EXPERIMENTAL_CONNECTORS ?? "").split(",").includes(posType);
}

/** The bundler replaces both variables (infra/bundle/bundle.ts). A bundle with neither has no real connector. */
function realOf(posType: string) {
  return process.env.POS_CONNECTORS === "sandbox" && process.env.POS_TEST_ENDPOINTS === "none"
    ? undefined
    : isReadable(posType)
      ? connectorRegistry[posType]
      : undefined;
}

/** The simulated POS, imported at its first call like a real connector. */
function simulatedConnector(tickSeconds: number): Connector {
  let loaded: Promise<Connector> | undefined;
  return forwardingConnector(() => {
    loaded ??= import("./sandbox/sandboxConnector.ts").then(({ sandboxConnector }) => sandboxConnector(tickSeconds));
    return loaded;
  });
}

/** Uses the test endpoint for connections with credentials, but not for others, such as the demo's. */
function sandboxOrTestEndpoint(simulated: Connector, testEndpoint: Connector): Connector {
  return forwardingConnector(({ credentials }) => (Object.keys(credentials).length > 0 ? testEndpoint : simulated));
}

function connector(pos: RegisteredConnector, options: PosClientOptions): Connector {
  const key = `${pos.service.url} ${options.url}`;
  const known = connected.get(key) ?? loadedConnector(pos, options);
  connected.set(key, known);
  return known;
}

function testEndpointUrl(variable: string, text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new Error(`${variable} must be a URL such as http://127.0.0.1:4000`);
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
