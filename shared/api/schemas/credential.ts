import * as z from "zod";
import { accessScopes, credentialOwnerKinds, credentialStatuses } from "../enumerations.ts";
import { date, dateTime, uuid } from "./scalars.ts";

/** A credential without its secret. */
export const credential = z
  .strictObject({
    client_id: uuid.describe("Identifies the credential; also its client id for the token exchange"),
    name: z.string().nullable().describe("A note for people; null where none was given"),
    owner: z
      .strictObject({
        kind: z
          .enum(credentialOwnerKinds)
          .meta({ id: "CredentialOwnerKind", description: "What a credential belongs to" }),
        id: uuid.describe("Id of the service provider or the CRB"),
      })
      .meta({ id: "CredentialOwner", description: "Whose credential it is" }),
    scopes: z.array(z.enum(accessScopes)).describe("What it permits"),
    created_date: dateTime.describe("When it was issued"),
    created_by: uuid.nullable().describe("Client id of the credential that issued it; null where the operator did"),
    last_used_date: date
      .nullable()
      .describe(
        "UTC day of the last request that was granted to it or to one of its tokens; null where there was none",
      ),
    expires_date: dateTime.nullable().describe("From when on it is rejected; null where it does not expire"),
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
