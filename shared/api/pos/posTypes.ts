import type { ConnectablePosType } from "../enumerations.ts";
import type { RecordKind } from "../kinds.ts";
import type { CredentialSetName } from "./credentialSets.ts";

/** The requirements for a CRB that connects to a POS of this type (docs/spec.md#pos-credentials-schema). */
interface PosType {
  businessType: "retail" | "wholesale";
  /** Whether `location_id` must be sent. */
  locationRequired: boolean;
  credentialSet: CredentialSetName;
}

/**
 * Every POS type that callers can connect a CRB to, exactly as in the specification
 * (docs/spec.md#pos-credentials-schema).
 */
export const posTypes: Readonly<Record<ConnectablePosType, PosType>> = {
  Alleaves: { businessType: "retail", locationRequired: false, credentialSet: "AlleavesTestAuth" },
  BioTrack: { businessType: "retail", locationRequired: true, credentialSet: "BiotrackTestAuth" },
  "BioTrack Wholesale": { businessType: "wholesale", locationRequired: true, credentialSet: "BiotrackTestAuth" },
  Blaze: { businessType: "retail", locationRequired: false, credentialSet: "BlazeTestAuth" },
  Canix: { businessType: "wholesale", locationRequired: true, credentialSet: "CanixTestAuth" },
  Cova: { businessType: "retail", locationRequired: false, credentialSet: "CovaTestAuth" },
  Dutchie: { businessType: "retail", locationRequired: false, credentialSet: "DutchieTestAuth" },
  "Dutchie Wholesale": { businessType: "wholesale", locationRequired: false, credentialSet: "DutchieTestAuth" },
  Flourish: { businessType: "retail", locationRequired: true, credentialSet: "FlourishTestAuth" },
  "Flourish Wholesale": { businessType: "wholesale", locationRequired: true, credentialSet: "FlourishTestAuth" },
  Flowhub: { businessType: "retail", locationRequired: true, credentialSet: "FlowhubTestAuth" },
  Greenbits: { businessType: "retail", locationRequired: true, credentialSet: "GreenbitsTestAuth" },
  GrowFlow: { businessType: "retail", locationRequired: true, credentialSet: "GrowFlowTestAuth" },
  "GrowFlow Wholesale": {
    businessType: "wholesale",
    locationRequired: false,
    credentialSet: "GrowFlowWholesaleTestAuth",
  },
  IndicaOnline: { businessType: "retail", locationRequired: false, credentialSet: "IndicaOnlineTestAuth" },
  Meadow: { businessType: "retail", locationRequired: false, credentialSet: "MeadowTestAuth" },
  POSaBIT: { businessType: "retail", locationRequired: false, credentialSet: "POSaBITTestAuth" },
  Proteus420: { businessType: "retail", locationRequired: false, credentialSet: "Proteus420TestAuth" },
  "Sage Intacct": { businessType: "wholesale", locationRequired: true, credentialSet: "IntacctTestAuth" },
  Treez: { businessType: "retail", locationRequired: false, credentialSet: "TreezTestAuth" },
  Weave: { businessType: "retail", locationRequired: false, credentialSet: "WeaveTestAuth" },
};

/**
 * POS types without an API: the operator uploads their records as files (docs/upload). The first upload connects the
 * CRB. Callers cannot connect to these types, and they take no credentials. So docs/spec.md#pos-credentials-schema does
 * not list these types.
 */
export const uploadedPosTypes = { retail: "Manual Upload Retail", wholesale: "Manual Upload Wholesale" } as const;

/** Whether records of a POS type are uploaded, so that no replication requests them. */
export function isUploaded(posType: string): boolean {
  return Object.values<string>(uploadedPosTypes).includes(posType);
}

/** Kinds of records that a POS lacks or that its connector does not read; the lists of these kinds stay empty. */
const missingKinds = { Cova: ["location"], "Sage Intacct": ["inventory"] } as const satisfies Partial<
  Record<ConnectablePosType, readonly RecordKind[]>
>;
type MissingKinds = typeof missingKinds;

/** The kinds of records of a POS type. Its connector has a reader for each of them, and for no other kind. */
export type KindsOf<Name extends ConnectablePosType> = Name extends keyof MissingKinds
  ? Exclude<RecordKind, MissingKinds[Name][number]>
  : RecordKind;

/** Whether a POS lacks a kind of records. */
export function lacks(posType: string, kind: RecordKind): boolean {
  const known: Readonly<Record<string, readonly RecordKind[]>> = missingKinds;
  return (Object.hasOwn(known, posType) && known[posType]?.includes(kind)) || false;
}
