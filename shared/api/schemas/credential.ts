import * as z from "zod";
import { accessScopes, credentialKinds, credentialOwnerKinds, credentialStatuses } from "../enumerations.ts";
import { person } from "./person.ts";
import { date, dateTime, uuid } from "./scalars.ts";

const credentialKey = z
  .strictObject({
    kid: z.string().describe("The id of the key"),
    thumbprint: z.string().describe("Identifies the key by its content (RFC 7638)"),
    created_date: dateTime.describe("When the key was added"),
    created_by: uuid.nullable().describe("Client id of the credential that added it; null if the operator did"),
    created_by_person: person.nullable().describe("The person who added it; null for programs"),
  })
  .meta({ id: "CredentialKey", description: "A public key of a credential" });

export const credential = z
  .strictObject({
    client_id: uuid.describe("Identifies the credential; also its client id for the token exchange"),
    name: z.string().nullable().describe("A label; null if none was given"),
    kind: z
      .enum(credentialKinds)
      .meta({ id: "CredentialKind", description: "Who uses a credential" })
      .describe("`program`; `identity_provider` for the persons who sign in, which have no secret"),
    owner: z
      .strictObject({
        kind: z
          .enum(credentialOwnerKinds)
          .meta({ id: "CredentialOwnerKind", description: "The kind of owner of a credential" }),
        id: uuid.describe("Id of the service provider or the CRB"),
      })
      .meta({ id: "CredentialOwner", description: "The owner of a credential" }),
    scopes: z.array(z.enum(accessScopes)).describe("The scopes that the credential holds"),
    created_date: dateTime.describe("When the credential was issued"),
    created_by: uuid.nullable().describe("Client id of the credential that issued it; null if the operator issued it"),
    created_by_person: person.nullable().describe("The person who issued it; null for programs"),
    last_used_date: date
      .nullable()
      .describe(
        "UTC day of the last permitted request with the credential or one of its tokens; null if there was none",
      ),
    expires_date: dateTime.nullable().describe("The time at which the credential expires; null if it does not expire"),
    allowed_cidrs: z
      .array(z.string())
      .nullable()
      .describe("The ranges of addresses from which the credential and its tokens may be used; null for all addresses"),
    keys: z
      .array(credentialKey)
      .describe("The public keys whose signatures authenticate token exchanges, the oldest first; empty without keys"),
    status: z
      .enum(credentialStatuses)
      .meta({ id: "CredentialStatus", description: "The state of a credential" })
      .describe("`active`; `expired` from `expires_date` on; `revoked`, even if it has also expired"),
  })
  .meta({
    id: "Credential",
    description: "A credential of a service provider or of one of its CRBs, without its secret",
  });

export type Credential = z.output<typeof credential>;
