import { describe, expect, test } from "vitest";
import { normalizeCustomer } from "../../../../shared/domain/replication/normalizeCustomer.ts";
import type { PosCustomer } from "../../../../shared/pos/posRecords.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { plainCustomer } from "./scriptedPos.ts";

useTestServiceKey();

const plain: PosCustomer = {
  ...plainCustomer("82057"),
  ...{ first_name: " Zoë ", last_name: "O'Hara", middle_name: "", email_address: "Ana@Example.com", gender: "Female" },
  ...{ address_1: "12 Pearl St", phone: "(303) 555-0142", cell_phone: "303-555-0142", medical_id: "Md-0042 x" },
  ...{ drivers_license_id: " ", other_id: null, loyalty_points: "12.5", pos_updated_date: "2026-07-01T05:30:00.000Z" },
};

// Hashes computed with Python and openssl, as in test/shared/platform/crypto/sensitiveHasher.test.ts.
const phone = "5f6b22fd6731614cd048cea7ab028e79ba60e5ca58d06a185b6324a1d4fb1a0f";
const email = "90a8a24cd56532037f2dcea14ffe148893306e7bcd5e28ae8a359114f613fd90";
const medicalId = "bb49585ce7871aa558bb9fc2bf7ce5109544a1e84f018e9ebf619889c3536cfd";

describe("a customer of the POS becomes the record of the API", () => {
  const { id, content } = normalizeCustomer(testConnection, plain);

  test("with its POS type, POS id and id", () => {
    expect(id).toBe("1700d45c-ed9d-5eff-bf03-ba6d97f2d8ef");
    expect(content).toMatchObject({ id, crb_id: testConnection.crbId, pos_type: "Dutchie", pos_customer_id: "82057" });
  });

  test("with sensitive fields hashed, and null if they are empty", () => {
    expect(content).toMatchObject({ phone, cell_phone: phone, email_address: email, medical_id: medicalId });
    expect(content).toMatchObject({ middle_name: null, drivers_license_id: null, other_id: null });
    const text = JSON.stringify(content).toLowerCase();
    for (const value of ["zoë", "o'hara", "555-0142", "5550142", "ana@", "md-0042"]) expect(text).not.toContain(value);
  });

  test("with all other fields as in the POS, and the local time in addition to UTC", () => {
    expect(content).toMatchObject({
      dob: "1980-02-29",
      address_1: "12 Pearl St",
      city: "Boulder",
      state: "CO",
      zip_code: "80302",
      gender: "Female",
      medical_id_expiration_date: "2027-01-31",
      loyalty_points: "12.5",
      pos_updated_date: "2026-07-01T05:30:00.000Z",
      pos_updated_date_local: "2026-06-30 23:30:00.000",
      svc_updated_date: null,
      svc_created_date: null,
    });
  });
});

test("a customer without a time of the last update has no local time either", () => {
  const { content } = normalizeCustomer(testConnection, { ...plain, pos_updated_date: null });
  expect(content).toMatchObject({ pos_updated_date: null, pos_updated_date_local: null });
});
