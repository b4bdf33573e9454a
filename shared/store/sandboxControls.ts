import type { PosReplicationError } from "../api/enumerations.ts";

/** The actions of callers on the simulated POS of a CRB (docs/spec.md#sandbox-controls). Stored with the CRB's connection. */
export interface SandboxControls {
  rejectsCredentials?: true;
  /** The failure of each request until an instant, ISO 8601 UTC. */
  failure?: { error: PosReplicationError; until: string };
  /** Sales in addition to the simulated ones, the oldest first. */
  sales?: readonly ControlledSale[];
}

/** A sale that a caller made. The simulation derives its lines and its buyer from its place in the list. */
export interface ControlledSale {
  type: "sale" | "return" | "adjustment";
  /** ISO 8601 UTC */
  date: string;
  /** Time of the last change, ISO 8601 UTC. */
  changed: string;
  /** The place in the list of the sale that a return refers to. */
  original?: number;
  /** The check whose rule the sale breaks. */
  violation?: string;
  /** The POS returns the sale in a form that cannot be converted. */
  isUnreadable?: true;
}

/** The controls after new credentials: failures end, and sales stay. */
export const withoutFailures = ({ sales }: SandboxControls): SandboxControls => (sales ? { sales } : {});
