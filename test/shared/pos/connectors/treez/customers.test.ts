import { describe, expect, test } from "vitest";
import { customerRecord } from "../../../../../shared/pos/connectors/treez/customers.ts";
import { customer } from "../../../../../shared/pos/connectors/treez/responses.ts";

describe("a customer", () => {
  test.each<[object, object]>([
    [{}, { pos_customer_id: "7", first_name: null, caregiver: null, loyalty_member: null, loyalty_points: null }],
    [{ middle_name: "N/A" }, { middle_name: null }],
    [{ email: "n/a" }, { email_address: null }],
    [{ drivers_license: "D" }, { pos_identification_type: "drivers", drivers_license_id: "D" }],
    [
      { drivers_license: "D", state_medical_id: "M" },
      { pos_identification_type: "medical", medical_id: "M" },
    ],
    [{ caregiver_license_number: "C" }, { other_id: "C" }],
    [{ is_caregiver: true }, { caregiver: true }],
    [{ permit_expiration: "2027-03-31 00:00:00.000" }, { medical_id_expiration_date: "2027-03-31" }],
    [
      { rewards_balance: 12.5, rewards_type: "POINTS" },
      { loyalty_member: true, loyalty_points: "12.5" },
    ],
    [
      { rewards_balance: 0, rewards_type: "DOLLARS" },
      { loyalty_member: null, loyalty_points: null },
    ],
    [{ patient_type: "MEDICAL_MMID" }, { svc_customer_type: "medical", pos_customer_type: "MEDICAL_MMID" }],
    [{ patient_type: "Adult" }, { svc_customer_type: "rec" }],
    [{ patient_type: "STAFF" }, { svc_customer_type: null }],
    [{ addresses: [{ street1: "a" }, { street1: "b", primary: true }] }, { address_1: "b" }],
    [{ addresses: [{ street1: "a", zipcode: 80302 }] }, { address_1: "a", zip_code: "80302" }],
    [{ last_update: "2026-03-10T12:30:00.000-0700" }, { pos_updated_date: "2026-03-10T19:30:00.000Z" }],
  ])("with %j is converted", (fields, expected) => {
    expect(customerRecord(customer.parse({ customer_id: 7, ...fields }))).toMatchObject(expected);
  });
});
