import * as z from "zod";
import { genders, medicalOrRec } from "../enumerations.ts";
import { posTypeName } from "./codes.ts";
import { date, dateTime, localDateTime, uuid } from "./scalars.ts";

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({
    id: "Hash",
    description: "HMAC-SHA-256 of the normalized value with a key of this CRB, in lower-case hexadecimal",
  });
const hashed = hash.nullable();
const text = z.string().nullable();

/** A customer from the POS, without any plain name, telephone number or email address (docs/spec.md#hashed-fields). */
export const customer = z
  .strictObject({
    crb_id: uuid.describe("Owning CRB"),
    id: uuid.describe("The `customer_id`"),
    pos_type: posTypeName.describe("Source POS"),
    pos_customer_id: z
      .string()
      .describe("Id in the POS; `erased` for an erased customer, whose other fields are empty"),
    first_name: hashed.describe("First name, hashed"),
    last_name: hashed.describe("Last name, hashed"),
    middle_name: hashed.describe("Middle name, hashed"),
    dob: date.nullable().describe("Date of birth"),
    address_1: text.describe("Street, as in the POS"),
    address_2: text.describe("Second address line"),
    city: text.describe("City"),
    state: text.describe("State, as in the POS"),
    zip_code: text.describe("Postal code"),
    phone: hashed.describe("Telephone, hashed"),
    cell_phone: hashed.describe("Mobile telephone, hashed"),
    email_address: hashed.describe("E-mail address, hashed"),
    gender: z.enum(genders).nullable().describe("Gender, if the POS has it"),
    pos_identification_type: text.describe("Main form of identification"),
    pos_customer_type: text.describe("The value of the POS from which `svc_customer_type` follows"),
    svc_customer_type: z.enum(medicalOrRec).nullable().describe("Medical or adult use"),
    medical_id: hashed.describe("Number of the medical card, hashed"),
    drivers_license_id: hashed.describe("Number of the driver's license, hashed"),
    other_id: hashed.describe("Number of another identification document, hashed"),
    medical_id_expiration_date: text.describe("Expiry of the medical card"),
    drivers_license_expiration_date: text.describe("Expiry of the driver's license"),
    other_id_expiration_date: text.describe("Expiry of the other identification document"),
    caregiver: z.boolean().nullable().describe("Whether the customer is a caregiver"),
    loyalty_member: z.boolean().nullable().describe("Whether the customer takes part in a loyalty program"),
    loyalty_points: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .nullable()
      .describe("Loyalty points, a decimal number as text"),
    merged_into_customer_id: uuid
      .nullable()
      .describe("The `customer_id` of the customer into whom the POS merged this one; null if it did not"),
    anonymous: z.boolean().nullable().describe("Whether the POS has no name for the customer; may depend on the state"),
    pos_updated_date: dateTime.nullable().describe("Last update in the POS"),
    pos_updated_date_local: localDateTime.nullable(),
    svc_updated_date: dateTime.nullable().describe("When the record last changed in the service"),
    svc_created_date: dateTime.nullable().describe("When the record was created in the service"),
  })
  .meta({
    id: "Customer",
    description: "A customer in the POS; names, telephone numbers, e-mail addresses and ID numbers are hashed",
  });
