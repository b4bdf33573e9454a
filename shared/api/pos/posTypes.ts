import type { ConnectablePosType } from "../enumerations.ts";
import type { RecordKind } from "../kinds.ts";
import type { CredentialSetName } from "./credentialSets.ts";

/** What is asked of a CRB that connects to a POS of this type (docs/spec.md#pos-credentials-schema). */
interface PosType {
  businessType: "retail" | "wholesale";
  /** Whether `location_id` must be sent. */
  locationRequired: boolean;
  credentialSet: CredentialSetName;
  /** Kinds of records that the POS does not have, or none that its connector reads. */
  lacks?: readonly RecordKind[];
}

/** Every POS type that a CRB can be connected to, exact (docs/spec.md#pos-credentials-schema). */
export const posTypes: Readonly<Record<ConnectablePosType, PosType>> = {
  Alleaves: { businessType: "retail", locationRequired: false, credentialSet: "AlleavesTestAuth" },
  BioTrack: { businessType: "retail", locationRequired: true, credentialSet: "BiotrackTestAuth" },
  "BioTrack Wholesale": { businessType: "wholesale", locationRequired: true, credentialSet: "BiotrackTestAuth" },
  Blaze: { businessType: "retail", locationRequired: false, credentialSet: "BlazeTestAuth" },
  Canix: { businessType: "wholesale", locationRequired: true, credentialSet: "CanixTestAuth" },
  Dutchie: { businessType: "retail", locationRequired: false, credentialSet: "DutchieTestAuth" },
  "Dutchie Wholesale": { businessType: "wholesale", locationRequired: false, credentialSet: "DutchieTestAuth" },
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
  "Sage Intacct": {
    businessType: "wholesale",
    locationRequired: true,
    credentialSet: "IntacctTestAuth",
    lacks: ["inventory"],
  },
  Treez: { businessType: "retail", locationRequired: false, credentialSet: "TreezTestAuth" },
  Weave: { businessType: "retail", locationRequired: false, credentialSet: "WeaveTestAuth" },
};

/**
 * What a CRB is connected to whose POS nobody can ask: its records are uploaded as files (docs/upload). No caller can
 * connect a CRB to these, and they take no credentials: the operator's first upload does (docs/spec.md#pos-credentials-schema lists neither).
 */
export const uploadedPosTypes = { retail: "Manual Upload Retail", wholesale: "Manual Upload Wholesale" } as const;

/** Whether records of a POS type come by upload, so that there is nothing to ask for them. */
export function isUploaded(posType: string): boolean {
  return Object.values<string>(uploadedPosTypes).includes(posType);
}

/** Whether a POS does not have a kind of records, so that its list stays empty. */
export function lacks(posType: string, kind: RecordKind): boolean {
  const known: Readonly<Record<string, PosType>> = posTypes;
  return (Object.hasOwn(known, posType) && known[posType]?.lacks?.includes(kind)) || false;
}
