import type { HolderMatch } from "../text/compareHolder.ts";

/**
 * Value lists, exactly as in the specification and in its order (docs/spec.md#patterns-and-value-lists). A list is
 * added when the first schema uses it.
 */

/**
 * Scopes that a credential or token can hold. Operations use only six of them (docs/spec.md#path-families-and-scopes).
 */
export const accessScopes = [
  "service-provider:read",
  "service-provider:write",
  "crb:read",
  "point-of-sale:read",
  "point-of-sale:write",
  "trace",
  "admin",
  "ein:read",
  "crb-id-request:read",
  "create-crb-api-key:write",
  "connect-crb-to-sp:write",
] as const;
export type AccessScope = (typeof accessScopes)[number];

/** The roles of persons, from the narrowest to the widest. Each includes the operations of those before it. */
export const personRoles = ["viewer", "reviewer", "administrator"] as const;
export type PersonRole = (typeof personRoles)[number];

export const credentialStatuses = ["active", "expired", "revoked"] as const;
export type CredentialStatus = (typeof credentialStatuses)[number];

/** Who uses a credential: programs, or the persons of an identity provider. */
export const credentialKinds = ["program", "identity_provider"] as const;

export const identityProviderStatuses = ["active", "suspended"] as const;

export const credentialOwnerKinds = ["service_provider", "crb"] as const;

// biome-ignore format: a value on each line fills a screen
export const states = [
  "AL", "AK", "AZ", "AR", "AS", "CA", "CO", "CT", "DE", "DC", "FM", "FL", "GA", "GU", "HI", "ID", "IL", "IN", "IA",
  "KS", "KY", "LA", "ME", "MD", "MA", "MH", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC",
  "ND", "MP", "OH", "OK", "OR", "PW", "PA", "PR", "RI", "SC", "SD", "TN", "TX", "UM", "UT", "VT", "VA", "VI", "WA",
  "WV", "WI", "WY", "AA", "AE", "AP",
] as const;

/** The states that track sales in Metrc (docs/pos/metrc.md). */
// biome-ignore format: a value on each line fills a screen
export const metrcStates = [
  "AK", "AL", "CA", "CO", "DC", "GU", "IL", "KY", "LA", "MA", "MD", "ME", "MI", "MN", "MO", "MS", "MT", "NJ", "NV",
  "NY", "OH", "OK", "OR", "RI", "SD", "VA", "VI", "WV",
] as const satisfies readonly (typeof states)[number][];
export type MetrcState = (typeof metrcStates)[number];

/** The types of customers on a receipt in Metrc; `Other` for a type that is not known. */
export const metrcCustomerTypes = [
  "Consumer",
  "Patient",
  "Caregiver",
  "ExternalPatient",
  "NonResidentConsumer",
  "Other",
] as const;
export type MetrcCustomerType = (typeof metrcCustomerTypes)[number];

// biome-ignore format: a value on each line fills a screen
export const timezones = [
  "America/New_York", "America/Detroit", "America/Kentucky/Louisville", "America/Kentucky/Monticello",
  "America/Indiana/Indianapolis", "America/Indiana/Vincennes", "America/Indiana/Winamac", "America/Indiana/Marengo",
  "America/Indiana/Petersburg", "America/Indiana/Vevay", "America/Chicago", "America/Indiana/Tell_City",
  "America/Indiana/Knox", "America/Menominee", "America/North_Dakota/Center", "America/North_Dakota/New_Salem",
  "America/North_Dakota/Beulah", "America/Denver", "America/Boise", "America/Phoenix", "America/Los_Angeles",
  "America/Anchorage", "America/Juneau", "America/Puerto_Rico", "America/Sitka", "America/St_Thomas",
  "America/Metlakatla", "America/Yakutat", "America/Nome", "America/Adak", "Pacific/Honolulu", "Pacific/Guam",
  "Pacific/Kosrae", "Pacific/Midway", "Pacific/Pago_Pago", "Pacific/Palau", "Pacific/Kwajalein", "Pacific/Saipan",
] as const;

export const entityTypes = ["sole", "partnership", "corporation", "llc"] as const;

export const orgTypes = ["bank", "dispensary", "svc", "transport_vendor", "muo", "data_integrator_client"] as const;

export const businessTypes = ["retail", "wholesale"] as const;
export type BusinessType = (typeof businessTypes)[number];

export const crbStatuses = [
  "bank_disconnected",
  "bank_approved",
  "bank_review_in_progress",
  "bank_awaiting_review",
  "bank_in_progress",
  "bank_pending",
  "svc_approved",
  "svc_awaiting_review",
  "svc_in_progress",
  "svc_pending",
] as const;
export type CrbStatus = (typeof crbStatuses)[number];

/** Every POS that data can come from. */
// biome-ignore format: a value on each line fills a screen
export const posTypeNames = [
  "Alleaves", "Dutchie", "Dutchie Wholesale", "Cova", "Meadow", "MJ Freeway", "MJ Freeway Wholesale", "Greenbits",
  "GrowFlow", "GrowFlow Wholesale", "Portal42", "Metrc S2S", "Metrc S2S Wholesale", "Flourish", "Flourish Wholesale",
  "Flowhub", "BioTrack", "BioTrack Wholesale", "Treez", "Blaze", "Quickbooks", "Sage Intacct", "Canix", "Brytemap",
  "POSaBIT", "Proteus420", "IndicaOnline", "Sweed", "Weave", "Jane", "Manual Upload Wholesale", "Cova Test Account",
  "Leaf Logix Test Account", "BioTrack Test Account", "Mj Freeway Test Account", "Treez IO Test Account",
  "Green Bits Test Account", "Manual Upload Retail", "Not Configured", "Unsupported", "CRBMonitor", "Plaid",
] as const;

/** POS types that a CRB can be connected to. */
// biome-ignore format: a value on each line fills a screen
export const connectablePosTypes = [
  "Alleaves", "BioTrack", "BioTrack Wholesale", "Blaze", "Canix", "Cova", "Dutchie", "Dutchie Wholesale", "Flourish",
  "Flourish Wholesale", "Flowhub", "Greenbits", "GrowFlow", "GrowFlow Wholesale", "IndicaOnline", "Meadow", "POSaBIT",
  "Proteus420", "Sage Intacct", "Treez", "Weave",
] as const;
export type PosTypeName = (typeof posTypeNames)[number];
export type ConnectablePosType = (typeof connectablePosTypes)[number];

export const posConnectionStatuses = ["Connected", "Not Connected", "Needs Attention", "Pending"] as const;
export type PosConnectionStatus = (typeof posConnectionStatuses)[number];

export const medicalOrRec = ["medical", "rec"] as const;

export const genders = ["Male", "Female", "Other"] as const;

export const productCategories = [
  "flower",
  "oil/concentrate",
  "edible",
  "other",
  "seedling",
  "seed",
  "liquid",
  "solid",
  "extract",
  "plant",
  "accessory",
  "marijuana_product",
  "topical",
  "edible_liquid",
] as const;

export const transactionTypes = ["sale", "return", "adjustment"] as const;

export const paymentTypes = [
  "cash",
  "check",
  "debit",
  "credit",
  "multiple",
  "ach",
  "wire",
  "other",
  "unknown",
] as const;

/** Means of payment that may be cash (docs/spec.md#reconciliation-days). */
export const unclearPaymentTypes = ["multiple", "other", "unknown"] as const;
export type UnclearPaymentType = (typeof unclearPaymentTypes)[number];

/** Kinds of postings of a bank. */
export const depositTypes = ["cash", "ach", "card", "check", "wire", "other"] as const;

/** Why a posting does not count as a deposit. */
export const excludedReasons = ["loan", "transfer", "correction", "not_sales"] as const;

/** docs/spec.md#reconciliation-days */
export const reconciliationStatuses = [
  "within",
  "count_differs",
  "deposits_unexplained",
  "cash_outstanding",
  "not_compared",
  "no_balance",
] as const;

export const complianceStatuses = ["unchecked", "red_flag", "svc_checked", "warning"] as const;

/** Identifications that a customer can show. */
export const idTypes = [
  "drivers",
  "medical",
  "ssn",
  "passport",
  "medical_with_rec",
  "medical_with_state_card",
  "caregiver",
  "minor_medical",
  "temporary_minor_medical",
  "temporary_adult",
] as const;

/** Where a license can be searched: the states, Canada (CAN), and no licensing authority (NLA). */
export const licenseSearchStates = [...states, "CAN", "NLA"] as const;
export type LicenseSearchState = (typeof licenseSearchStates)[number];

/** Medical or adult use, as a license says. */
export const licenseMedRecClassifications = ["both", "hemp", "medical", "recreational"] as const;

/** The level of a license's authority. */
export const licensingAuthorityTiers = ["country", "locality", "other", "region", "sub_region"] as const;

/** License types, the same for all states. */
// biome-ignore format: a value on each line fills a screen
export const uniformLicenseTypes = [
  "Caregiver", "CBD", "Corporate Officer", "Cultivation", "Delivery/Transporter", "Event Organizer", "Hemp",
  "Illicit Establishment", "Management Company", "Manufacturer/Processor", "Owner/Investor", "Research",
  "Retail/Dispensary", "Senior Manager", "Social Use Club", "Storage", "Testing", "Unknown", "Vertically Integrated",
  "Waste Disposal", "Wholesale/Distribution",
] as const;
export type UniformLicenseType = (typeof uniformLicenseTypes)[number];

/** License statuses, the same for all states. */
export const uniformLicenseStatuses = [
  "Active",
  "Approved/Pending",
  "Inactive",
  "Pre-License",
  "Unknown",
  "Unlicensed",
] as const;
export type UniformLicenseStatus = (typeof uniformLicenseStatuses)[number];

/** The status of a license that is linked to a CRB (docs/spec.md#linked-licenses). */
export const linkedLicenseStatuses = ["active", "expiring", "expired", "inactive", "unknown", "missing"] as const;
export type LinkedLicenseStatus = (typeof linkedLicenseStatuses)[number];

/** How the holder of a linked license relates to the business (docs/spec.md#holder-of-a-license). */
export const holderMatches = ["same", "similar", "different"] as const satisfies readonly HolderMatch[];

/** Who links or unlinks a license. */
export const licenseActorKinds = ["service_provider", "invited_user", "operator"] as const;
export type LicenseActorKind = (typeof licenseActorKinds)[number];

/** The state systems that the service can read (docs/spec.md#connections-to-a-states-system). */
export const stateSystems = ["Metrc"] as const;
export type StateSystem = (typeof stateSystems)[number];

/** The statuses of a connection to a state system. */
export const stateConnectionStatuses = ["waiting", "current", "failing"] as const;

/** Why a state system could not be read with a connection. */
export const stateConnectionErrors = [
  "key_refused",
  "license_missing",
  "key_may_manage_sales",
  "key_cannot_view_sales",
  "license_unlinked",
  "unreachable",
] as const;
export type StateConnectionError = (typeof stateConnectionErrors)[number];

/** The state of a requirement's document in its review. */
export const requirementDocumentStatuses = ["approved", "archived", "pending"] as const;
export type RequirementDocumentStatus = (typeof requirementDocumentStatuses)[number];

/** The state of a requirement, which follows from its documents (docs/spec.md#requirement-status). */
export const requirementStatuses = ["not_started", "pending", "approved"] as const;
export type RequirementStatus = (typeof requirementStatuses)[number];

export const requirementCategories = ["financial", "insurance", "legal", "license", "operational"] as const;

/** The party that requests a document, and the kind of document. */
export const requirementTypes = ["bank_custom", "business_license", "employee_license", "svc_standard"] as const;

/** Kinds of free questions. */
export const customFieldTypes = [
  "textSingleLine",
  "textMultiLine",
  "radio",
  "select",
  "checkbox",
  "date",
  "file",
  "fileDownload",
  "displayContent",
  "hyperlink",
] as const;

export const smartRuleActions = ["Show", "Hide"] as const;

export const smartRuleOperators = ["Is Equal To", "Is Not Equal To", "Is Empty", "Is Filled"] as const;

/** The status in the state's register of the license on a document. */
export const crbLicenseStatuses = [...uniformLicenseStatuses, "Unmatched"] as const;

/** License types of tribal nations. */
export const tribalNationLicenseTypes = [
  "Cultivator",
  "Processor",
  "Lab",
  "Dispensary (Adult / Medical)",
  "Social Consumption / Events",
  "Delivery / Transport",
  "Combined License",
  "Other",
] as const;

/**
 * The state of the replication of one kind of records (docs/spec.md#replication-status). If several states apply, the
 * API returns the first of them in this order.
 */
export const replicationStates = [
  "not_connected",
  "not_available",
  "manual",
  "paused",
  "failing",
  "waiting",
  "initial",
  "late",
  "current",
] as const;

/** Why a run failed (docs/spec.md#replication-status). */
export const replicationErrors = [
  "credentials_refused",
  "location_gone",
  "not_permitted",
  "limited",
  "unreachable",
  "not_understood",
  "unexpected",
] as const;
export type ReplicationError = (typeof replicationErrors)[number];
/** The errors that a POS causes. */
export const posReplicationErrors = replicationErrors.filter((error) => error !== "unexpected");
export type PosReplicationError = Exclude<ReplicationError, "unexpected">;

/** docs/spec.md#sandbox-controls */
export const sandboxActions = [
  "sell",
  "return",
  "void",
  "refuse_credentials",
  "restore_credentials",
  "fail",
  "reject_records",
  "reset",
] as const;
export type SandboxAction = (typeof sandboxActions)[number];

/** Media types of documents, with the file name extensions of each (docs/spec.md#adding-a-document). */
export const mimeTypeExtensions = {
  "text/csv": ["csv"],
  "application/msword": ["doc"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "image/gif": ["gif"],
  "image/jpeg": ["jpg", "jpeg"],
  "application/json": ["json"],
  "application/vnd.oasis.opendocument.presentation": ["odp"],
  "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
  "application/vnd.oasis.opendocument.text": ["odt"],
  "image/png": ["png"],
  "application/pdf": ["pdf"],
  "application/vnd.ms-powerpoint": ["ppt"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "application/rtf": ["rtf"],
  "image/svg+xml": ["svg"],
  "image/tiff": ["tif", "tiff"],
  "text/plain": ["txt"],
  "application/vnd.visio": ["vsd"],
  "application/vnd.ms-excel": ["xls"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/xml": ["xml"],
  "text/xml": ["xml"],
} as const satisfies Record<string, readonly string[]>;
export type MimeType = keyof typeof mimeTypeExtensions;
export const mimeTypes = Object.keys(mimeTypeExtensions) as [MimeType, ...MimeType[]];

/** docs/spec.md#events */
// biome-ignore format: a value on each line fills a screen
export const eventTypes = [
  "crb.created", "crb.updated", "crb.status.changed", "crb.association.ended", "pos.status.changed", "records.changed",
  "replication.initial_sync.completed", "records.erased", "sales_day.completed", "sales_day.revised",
  "sales_day.flagged", "reconciliation_day.exceeded", "reconciliation_day.revised", "state_day.varied",
  "insight.raised", "insight.withdrawn", "insight.decided", "statement.ready", "statement.failed", "export.ready",
  "export.failed", "export.deleted", "license.linked", "license.unlinked", "license.status.changed", "license.expiring",
  "document.added", "document.status.changed", "document.deleted", "invitation.sent", "invitation.failed",
  "onboarding.consent.given", "onboarding.consent.withdrawn", "onboarding.submitted", "credential.created",
  "credential.changed", "credential.expiring", "credential.revoked", "identity_provider.changed", "endpoint.test",
  "endpoint.disabled",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Whether events of a type follow from sales, so that a caller needs `point-of-sale:read` for them (docs/spec.md#events). */
export const followsFromSales = (type: EventType): boolean =>
  /^(sales_day|reconciliation_day|state_day|insight|statement)\./.test(type);

/** docs/spec.md#exports */
export const exportStatuses = ["queued", "running", "ready", "failed", "deleted", "expired"] as const;
export type ExportStatus = (typeof exportStatuses)[number];

export const exportFormats = ["ndjson", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Why an export failed (docs/spec.md#exports). */
export const exportErrors = ["list_rebuilt", "too_slow", "unexpected"] as const;
export type ExportError = (typeof exportErrors)[number];

/** docs/spec.md#statements */
export const statementStatuses = ["queued", "running", "ready", "failed"] as const;

export const accessReportStatuses = ["queued", "ready", "failed", "expired"] as const;

/** Why an access report failed. */
export const accessReportErrors = ["too_long", "too_slow"] as const;

export const statementFormats = ["json", "html", "csv"] as const;

/** Why a statement failed (docs/spec.md#statements). */
export const statementErrors = ["too_slow", "unexpected"] as const;
export type StatementError = (typeof statementErrors)[number];

/** docs/spec.md#webhooks */
export const webhookStatuses = ["current", "delivering", "failing", "disabled"] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Why an attempt to deliver an event failed (docs/spec.md#webhook-delivery). */
export const deliveryErrors = ["timeout", "refused", "address", "tls", "redirect", "status"] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

/** What a decision makes of an insight. */
export const decidedStatuses = ["open", "explained", "dismissed", "escalated"] as const;

/** The states of an insight: the last decision, or `withdrawn` if it does not hold any more. */
export const insightStatuses = ["open", "explained", "dismissed", "escalated", "withdrawn"] as const;

export type InsightStatus = (typeof insightStatuses)[number];
