import type { ConnectablePosType } from "../enumerations.ts";

/**
 * The evidence for the endpoints that a connector reads. The kind of records with the weakest evidence decides. Single
 * requests or fields may have weaker evidence:
 *
 * - `captured payloads`: recorded responses of the real API
 * - `vendor documents`: the vendor's own description of the endpoints
 * - `none`: public client code or assumptions
 */
type ConnectorProof = "captured payloads" | "vendor documents" | "none";

/**
 * The POS types that have a connector, and its proof. The page of each POS in docs/pos says why. No connector has read a
 * POS in production.
 */
export const connectorProofs = {
  Alleaves: "none",
  Blaze: "none",
  Canix: "vendor documents",
  Cova: "none",
  Dutchie: "vendor documents",
  "Dutchie Wholesale": "vendor documents",
  Flourish: "none",
  "Flourish Wholesale": "vendor documents",
  Flowhub: "vendor documents",
  Meadow: "vendor documents",
  POSaBIT: "none",
  "Sage Intacct": "none",
  Treez: "vendor documents",
} as const satisfies Partial<Record<ConnectablePosType, ConnectorProof>>;

/** A POS type that has a connector. */
export type ReadablePosType = keyof typeof connectorProofs;

export const readablePosTypes = Object.keys(connectorProofs) as ReadablePosType[];

export function isReadable(posType: string): posType is ReadablePosType {
  return Object.hasOwn(connectorProofs, posType);
}

/** Whether a stage with real POS systems offers the POS type only if `experimentalConnectors` lists it. */
export function isExperimental(posType: ReadablePosType): boolean {
  return connectorProofs[posType] === "none";
}
