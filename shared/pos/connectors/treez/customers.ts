import { customerTypeOf } from "../../framework/conversions/customerType.ts";
import { genderOf } from "../../framework/conversions/gender.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { emptyCustomer, type PosCustomer } from "../../posRecords.ts";
import type { Customer } from "./responses.ts";

export function customerRecord(row: Customer): PosCustomer {
  const address = row.addresses.find(({ primary }) => primary) ?? row.addresses[0];
  return {
    ...emptyCustomer,
    pos_customer_id: row.customer_id,
    first_name: row.first_name,
    last_name: row.last_name,
    middle_name: row.middle_name,
    dob: plainDay(row.birthday),
    address_1: address?.street1 ?? null,
    address_2: address?.street2 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    zip_code: address?.zipcode ?? null,
    phone: row.phone,
    email_address: row.email,
    gender: genderOf(row.gender),
    pos_identification_type: row.state_medical_id ? "medical" : row.drivers_license ? "drivers" : null,
    pos_customer_type: row.patient_type,
    svc_customer_type: customerTypeOf(row.patient_type),
    medical_id: row.state_medical_id,
    medical_id_expiration_date: plainDay(row.permit_expiration),
    drivers_license_id: row.drivers_license,
    drivers_license_expiration_date: plainDay(row.drivers_license_expiration),
    other_id: row.caregiver_license_number,
    caregiver: row.is_caregiver,
    loyalty_member: Number(row.rewards_balance) > 0 ? true : null,
    loyalty_points: row.rewards_type === "POINTS" ? row.rewards_balance : null,
    merged_into_pos_customer_id: row.merged_into_customer_id,
    pos_updated_date: row.last_update,
  };
}
