/** One property of a credential set. */
interface CredentialProperty {
  type: "string" | "number";
  description: string;
}

/** The credentials that a POS requires (docs/spec.md#pos-credentials-schema). */
export interface CredentialSet {
  /** How to obtain the credentials. */
  description: string;
  properties: Readonly<Record<string, CredentialProperty>>;
  /** Sorted. */
  required: readonly string[];
  /** At least one of these credentials must be sent. */
  oneOf?: readonly string[];
}

const text = (description: string): CredentialProperty => ({ type: "string", description });
const number = (description: string): CredentialProperty => ({ type: "number", description });

const sets = {
  AlleavesTestAuth: {
    description:
      "The user name and password of an Alleaves user who may read the store's data. The store's administrator creates the user.",
    properties: { username: text("User name"), password: text("Password of that user") },
    required: ["password", "username"],
  },
  BiotrackTestAuth: {
    description:
      "A user with read access to the BioTrack database of the business. BioTrack support creates the user and names the server.",
    properties: {
      username: text("Database user"),
      password: text("Password of that user"),
      server_ip: text("Address of the database server"),
      port: number("Port of the database server"),
      database_name: text("Name of the database"),
    },
    required: ["database_name", "password", "port", "server_ip", "username"],
  },
  BlazeTestAuth: {
    description:
      "The developer key of the shop. Blaze issues one for each shop of a company: request it from Blaze support.",
    properties: { Authorization: text("Developer key of the shop") },
    required: ["Authorization"],
  },
  CanixTestAuth: {
    description: "An API key of Canix. An administrator creates it in the settings of the account.",
    properties: { key: text("API key") },
    required: ["key"],
  },
  CovaTestAuth: {
    description:
      "The onboarding package that Cova issues for the company: request it from Cova's API support. It has all five credentials.",
    properties: {
      username: text("User name of the API"),
      password: text("Password of that user"),
      clientId: text("Client id"),
      clientSecret: text("Client secret"),
      companyId: number("Company id"),
    },
    required: ["clientId", "clientSecret", "companyId", "password", "username"],
  },
  DutchieTestAuth: {
    description:
      "The API keys of the Dutchie location. A location that serves both patients and adult-use customers has two keys; enter at least one. This service does not know where the account shows them: Dutchie support does.",
    properties: {
      medApiKey: text("API key of the medical location"),
      recApiKey: text("API key of the adult-use location"),
    },
    required: [],
    oneOf: ["medApiKey", "recApiKey"],
  },
  FlourishTestAuth: {
    description:
      "An external API key of Flourish, in the form user:key. An administrator of the facility creates it; Flourish shows the user name with it.",
    properties: { api_key: text("User name and key, written user:key") },
    required: ["api_key"],
  },
  FlowhubTestAuth: {
    description: "The API key and client id that Flowhub support issues for the business.",
    properties: { key: text("API key"), clientId: text("Client id") },
    required: ["clientId", "key"],
  },
  GreenbitsTestAuth: {
    description:
      "The user name and password of a Greenbits user with access to reports. The store's manager creates the user.",
    properties: { username: text("User name or e-mail address"), password: text("Password of that user") },
    required: ["password", "username"],
  },
  GrowFlowTestAuth: {
    description:
      "The client name under which GrowFlow has released the shop's data to this service. GrowFlow support releases it and names it.",
    properties: { client_id_name: text("Client name at GrowFlow") },
    required: ["client_id_name"],
  },
  GrowFlowWholesaleTestAuth: {
    description: "The license of the GrowFlow account. GrowFlow releases its data at the licensee's request.",
    properties: { state: text("State of the license, two letters"), license_number: text("License number") },
    required: ["license_number", "state"],
  },
  IndicaOnlineTestAuth: {
    description:
      "The API key of the IndicaOnline account and the number of its office. This service does not know where the account shows them: IndicaOnline support does.",
    properties: { apiKey: text("API key"), officeId: number("Office number") },
    required: ["apiKey", "officeId"],
  },
  IntacctTestAuth: {
    description:
      "A web services user of Sage Intacct that may list the entities. An administrator creates the user and also authorizes the sender id of this service.",
    properties: {
      company_id: text("Company id"),
      user_id: text("Web services user"),
      user_password: text("Password of that user"),
    },
    required: ["company_id", "user_id", "user_password"],
  },
  MeadowTestAuth: {
    description: "The client key that Meadow issues for the organization: request it from Meadow support.",
    properties: { clientKey: text("Client key") },
    required: ["clientKey"],
  },
  POSaBITTestAuth: {
    description: "The API token that POSaBIT support issues for the venue.",
    properties: { apiToken: text("API token of the venue") },
    required: ["apiToken"],
  },
  Proteus420TestAuth: {
    description:
      "The API key of Proteus420 and its client name. This service does not know where the account shows them: Proteus420 support does.",
    properties: { apiKey: text("API key"), clientName: text("Client name") },
    required: ["apiKey", "clientName"],
  },
  TreezTestAuth: {
    description:
      "The dispensary's short name, and its Treez organization id or the API key of the older API, which is created in the dispensary's configuration. Treez support names the organization id. Enter at least one of the two; if both are entered, the organization id is used. Prefer the organization id: a public note, which Treez has not confirmed, says that keys of the older API ended on November 1, 2026.",
    properties: {
      apiKey: text("Key of the older API, which may have ended in November 2026"),
      dispensaryName: text("Short name of the dispensary in its Treez address"),
      organizationId: text("Organization id for the newer API"),
    },
    required: ["dispensaryName"],
    oneOf: ["apiKey", "organizationId"],
  },
  WeaveTestAuth: {
    description: "The API key that Weave issues for the business: request it from Weave support.",
    properties: { apiKey: text("API key") },
    required: ["apiKey"],
  },
} satisfies Record<string, CredentialSet>;

export type CredentialSetName = keyof typeof sets;

/**
 * Every credential set by its name, exactly as in the specification except for the descriptions
 * (docs/spec.md#pos-credentials-schema).
 */
export const credentialSets: Readonly<Record<CredentialSetName, CredentialSet>> = sets;
