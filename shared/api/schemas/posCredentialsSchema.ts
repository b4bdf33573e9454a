import * as z from "zod";
import { businessType, connectablePosType, posTypeName } from "./codes.ts";

const posCredentials = z
  .strictObject({
    pos_type: posTypeName.describe("The POS type; equal to the key"),
    business_type: businessType.describe("Kind of business it serves"),
    location_required: z.boolean().describe("Whether `location_id` must be sent"),
    pos_credentials_schema: z
      .strictObject({
        credentials_name: z.string().describe("Name of the credential set"),
        credentials_description: z.string().describe("How to obtain the credentials"),
        credentials_properties: z
          .record(
            z.string(),
            z.strictObject({
              type: z.enum(["string", "number"]).describe("JSON type of the value"),
              description: z.string().optional().describe("What the property means"),
            }),
          )
          .describe("Properties that can be sent, by name"),
        required_properties: z.array(z.string()).describe("Properties that must be sent, sorted"),
      })
      .describe("The form of `pos_credentials`"),
  })
  .meta({ id: "PosCredentials", description: "The credentials that one POS type requires" });

/** The credentials that each POS type requires (docs/spec.md#pos-credentials-schema). */
export const posCredentialsSchema = z
  .partialRecord(connectablePosType, posCredentials)
  .meta({ id: "PosCredentialsSchema", description: "The credentials that each POS type requires, by POS type" });

export type PosCredentialsSchema = z.output<typeof posCredentialsSchema>;
