import * as z from "zod";
import { name } from "./requestFields.ts";
import { uuid } from "./scalars.ts";

/** A client id and secret for the token exchange (docs/spec.md#crb-credentials). */
export const accessCredentials = z
  .strictObject({
    client_id: z.string().describe("Client id for the token exchange"),
    secret: z
      .string()
      .describe("The `client_secret` of the token exchange; also an API key without the client id. Shown only once"),
    ended_client_ids: z
      .array(uuid)
      .describe(
        "Client ids of the CRB's older pairs that ended when this pair was issued; empty if there were fewer than two",
      ),
  })
  .meta({ id: "AccessCredentials", description: "A client id and secret for the token exchange" });

/** The last instant whose ISO 8601 form has 24 characters, so that dates sort as text. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The expiry of a credential. */
export const futureDate = z.iso
  .datetime({ offset: true })
  .refine((sent) => Date.parse(sent) > Date.now() && Date.parse(sent) <= lastInstant, {
    error: "must be in the future and before the year 10000",
  });

/** Optional fields of a new credential pair. */
export const crbAccessCreation = z
  .strictObject({
    name: name.exactOptional().describe("A label, shown in the list of credentials"),
    expires_date: futureDate
      .exactOptional()
      .describe("The time at which the pair expires; if absent, it does not expire"),
  })
  .meta({ id: "CrbAccessCreation", description: "Optional fields of a new pair" });
