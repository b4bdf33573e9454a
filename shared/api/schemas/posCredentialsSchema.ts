import * as z from "zod";
import { businessTypes, connectablePosTypes } from "../enumerations.ts";

const posCredentials = z.strictObject({
  pos_type: z.enum(connectablePosTypes).describe("Equals the key"),
  business_type: z.enum(businessTypes).describe("Kind of business it serves"),
  location_required: z.boolean().describe("Whether `location_id` must be sent"),
  pos_credentials_schema: z.strictObject({
    credentials_name: z.string().describe("Name of the credential set"),
    credentials_description: z.string().describe("How to obtain the credentials"),
    credentials_properties: z.record(
      z.string(),
      z.strictObject({ type: z.enum(["string", "number"]), description: z.string().optional() }),
    ),
    required_properties: z.array(z.string()).describe("Properties that must be sent, sorted"),
  }),
});

/** What each POS type asks of whoever connects it, by POS type (contract 9.22). */
export const posCredentialsSchema = z
  .partialRecord(z.enum(connectablePosTypes), posCredentials)
  .meta({ id: "PosCredentialsSchema" });

export type PosCredentialsSchema = z.output<typeof posCredentialsSchema>;
