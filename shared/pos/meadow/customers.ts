import { genderOf } from "../conversions/gender.ts";
import { plainDay } from "../conversions/instants.ts";
import type { PosCustomer } from "../posRecords.ts";
import type { Customer } from "./answers.ts";

export function customerRecord(row: Customer): PosCustomer {
  const { street1 = null, street2 = null, city = null, state = null, postalCode = null } = row.mostRecentAddress;
  const medicalExpiration = plainDay(row.medicalExpiration);
  return {
    pos_customer_id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    middle_name: null,
    dob: plainDay(row.birthday),
    address_1: street1,
    address_2: street2,
    city,
    state,
    zip_code: postalCode ?? row.zip,
    phone: row.phone,
    cell_phone: null,
    email_address: row.email,
    gender: genderOf(row.sex),
    pos_identification_type: medicalExpiration ? "medical" : row.licenseExpiry ? "drivers" : null,
    pos_customer_type: null,
    svc_customer_type: row.medicalExpiration ? "medical" : "rec",
    // Meadow tells when papers end, but not their numbers.
    medical_id: null,
    medical_id_expiration_date: medicalExpiration,
    drivers_license_id: null,
    drivers_license_expiration_date: plainDay(row.licenseExpiry),
    other_id: null,
    other_id_expiration_date: null,
    caregiver: null,
    loyalty_member: null,
    loyalty_points: row.loyalty?.pointsAmount ?? null,
    anonymous: null,
    pos_updated_date: row.updatedAt,
  };
}
