import * as z from "zod";
import { genders, medicalOrRec, posTypeNames } from "../enumerations.ts";
import { date, dateTime, localDateTime, uuid } from "./scalars.ts";

const hashed = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable()
  .describe("HMAC-SHA-256 of the normalised value under a key of this CRB, lower-case hexadecimal");
const text = z.string().nullable();

/** A customer as the POS knows them, without any plain name, number or address of electronic mail (contract 9.6). */
export const customer = z
  .strictObject({
    crb_id: uuid.describe("Owning CRB"),
    id: uuid,
    pos_type: z.enum(posTypeNames).describe("Source POS"),
    pos_customer_id: z.string().describe("Id inside the POS"),
    first_name: hashed,
    last_name: hashed,
    middle_name: hashed,
    dob: date.nullable().describe("Date of birth"),
    address_1: text,
    address_2: text,
    city: text,
    state: text,
    zip_code: text,
    phone: hashed,
    cell_phone: hashed,
    email_address: hashed,
    gender: z.enum(genders).nullable(),
    pos_identification_type: text.describe("Main form of identification"),
    pos_customer_type: text.describe("The POS's own value behind `svc_customer_type`"),
    svc_customer_type: z.enum(medicalOrRec).nullable(),
    medical_id: hashed,
    drivers_license_id: hashed,
    other_id: hashed,
    medical_id_expiration_date: text,
    drivers_license_expiration_date: text,
    other_id_expiration_date: text,
    caregiver: z.boolean().nullable(),
    loyalty_member: z.boolean().nullable(),
    loyalty_points: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .nullable()
      .describe("Points accrued, a decimal number as text"),
    anonymous: z.boolean().nullable(),
    pos_updated_date: dateTime.nullable().describe("Last update in the POS"),
    pos_updated_date_local: localDateTime.nullable(),
    svc_updated_date: dateTime.nullable().describe("Inserted or updated in the service"),
    svc_created_date: dateTime.nullable().describe("Inserted in the service"),
  })
  .meta({ id: "Customer" });
