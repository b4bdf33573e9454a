import * as z from "zod";
import { accessScopes, credentialOwnerKinds, credentialStatuses } from "../enumerations.ts";
import { date, dateTime, uuid } from "./scalars.ts";

export const credential = z
  .strictObject({
    client_id: uuid.describe("Identifies the credential; also its client id for the token exchange"),
    name: z.string().nullable().describe("A label; null if none was given"),
    owner: z
      .strictObject({
        kind: z
          .enum(credentialOwnerKinds)
          .meta({ id: "CredentialOwnerKind", description: "The kind of owner of a credential" }),
        id: uuid.describe("Id of the service provider or the CRB"),
      })
      .meta({ id: "CredentialOwner", description: "The owner of a credential" }),
    scopes: z.array(z.enum(accessScopes)).describe("The scopes that it grants"),
    created_date: dateTime.describe("When it was issued"),
    created_by: uuid.nullable().describe("Client id of the credential that issued it; null if the operator issued it"),
    last_used_date: date
      .nullable()
      .describe("UTC day of the last granted request of the credential or one of its tokens; null if there was none"),
    expires_date: dateTime.nullable().describe("The instant from which it is rejected; null if it does not expire"),
    status: z
      .enum(credentialStatuses)
      .meta({ id: "CredentialStatus", description: "Whether a credential can be used" })
      .describe("`active`; `expired` from its `expires_date` on; `revoked`, also after it expired"),
  })
  .meta({
    id: "Credential",
    description: "A credential of a service provider or of one of its CRBs, without its secret",
  });

export type Credential = z.output<typeof credential>;
