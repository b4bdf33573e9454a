import * as z from "zod";

/** A pair for the token exchange (contract 9.23). */
export const accessCredentials = z
  .strictObject({
    client_id: z.string().describe("Client id for the token exchange"),
    secret: z.string().describe("The `client_secret` of the token exchange, and an API key by itself; shown once"),
  })
  .meta({ id: "AccessCredentials", description: "A pair for the token exchange" });
