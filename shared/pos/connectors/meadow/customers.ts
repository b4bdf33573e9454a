import { genderOf } from "../../framework/conversions/gender.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { emptyCustomer, type PosCustomer } from "../../posRecords.ts";
import type { Customer } from "./responses.ts";

export function customerRecord(row: Customer): PosCustomer {
  const { street1 = null, street2 = null, city = null, state = null, postalCode = null } = row.mostRecentAddress;
  const medicalExpiration = plainDay(row.medicalExpiration);
  return {
    ...emptyCustomer,
    pos_customer_id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    dob: plainDay(row.birthday),
    address_1: street1,
    address_2: street2,
    city,
    state,
    zip_code: postalCode ?? row.zip,
    phone: row.phone,
    email_address: row.email,
    gender: genderOf(row.sex),
    // Meadow states when an identification document expires, but not the document's number.
    pos_identification_type: medicalExpiration ? "medical" : row.licenseExpiry ? "drivers" : null,
    svc_customer_type: row.medicalExpiration ? "medical" : "rec",
    medical_id_expiration_date: medicalExpiration,
    drivers_license_expiration_date: plainDay(row.licenseExpiry),
    loyalty_points: row.loyalty?.pointsAmount ?? null,
    pos_updated_date: row.updatedAt,
  };
}
