import type { MetrcState } from "../../api/enumerations.ts";
import type { PosClientOptions } from "../framework/posClient.ts";
import { metrcTestEndpointVariable } from "../testEndpoints.ts";

/** A business's access to the receipts of one license in Metrc. Both keys are secret: never log or store this object. */
export interface MetrcAccess {
  state: MetrcState;
  /** the key that Metrc issued to this service for the state */
  vendorKey: string;
  /** the key of a person of the business, with that person's permissions */
  userKey: string;
  licenseNumber: string;
}

/** The options of a call of Metrc; tests use them. By default, `url` is `metrcBaseUrl` of the state. */
export type MetrcOptions = Partial<PosClientOptions>;

/**
 * The base address of Metrc in a state; undefined if this stage reads no state system. Only stages with POS_CONNECTORS=real
 * read Metrc itself. A test endpoint (POS_METRC_URL) replaces Metrc on every stage except prod.
 */
export function metrcBaseUrl(state: MetrcState): string | undefined {
  const testEndpoint = metrcTestEndpoint();
  if (testEndpoint) return testEndpoint;
  return process.env.POS_CONNECTORS === "real" ? `https://api-${state.toLowerCase()}.metrc.com` : undefined;
}

/** The base address of the test endpoint that replaces Metrc; undefined if this stage has none. */
export function metrcTestEndpoint(): string | undefined {
  const address = process.env.STAGE === "prod" ? undefined : process.env[metrcTestEndpointVariable];
  return address ? address.replace(/\/+$/, "") : undefined;
}
