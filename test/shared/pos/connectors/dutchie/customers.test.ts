import { describe, expect, test } from "vitest";
import { customerRecord, listedTypeOf } from "../../../../../shared/pos/connectors/dutchie/customers.ts";
import { unknownPoints } from "../../../../../shared/pos/connectors/dutchie/loyaltyPoints.ts";
import { customer } from "../../../../../shared/pos/connectors/dutchie/responses.ts";
import { genderOf } from "../../../../../shared/pos/framework/conversions/gender.ts";

const emptyContext = { types: [], pointsOf: () => null as string | null };

describe("a customer", () => {
  const record = (fields: object, context = {}) =>
    customerRecord(customer.parse({ customerId: 7, ...fields }), { ...emptyContext, ...context });

  test("with only an id has no other values", () => {
    const { pos_customer_id, ...rest } = record({});
    expect(pos_customer_id).toBe("7");
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  test.each<[object, object]>([
    [{ mmjidNumber: "M1" }, { pos_identification_type: "medical", medical_id: "M1" }],
    [{ mmjidNumber: "M1", driversLicenseHash: "AB" }, { pos_identification_type: "medical" }],
    [{ driversLicenseHash: "AbC9" }, { pos_identification_type: "drivers", drivers_license_id: "abc9" }],
    [{ mmjidExpirationDate: "2027-01-31T00:00:00Z" }, { medical_id_expiration_date: "2027-01-31" }],
    [{ dateOfBirth: "0001-01-01T00:00:00" }, { dob: null }],
    [{ dateOfBirth: "1980-02-29T00:00:00-07:00" }, { dob: "1980-02-29" }],
    [{ isLoyaltyMember: true }, { loyalty_member: true }],
    [{ isAnonymous: "false" }, { anonymous: false }],
    [{ customerType: "Caregiver" }, { caregiver: true, svc_customer_type: "medical" }],
    [{ customerType: "Non-Medical" }, { caregiver: null, svc_customer_type: null }],
    [{ customerType: "Non-Caregiver" }, { caregiver: null, svc_customer_type: null }],
    [{ customerType: "Adult Use" }, { caregiver: null, svc_customer_type: "rec", pos_customer_type: "Adult Use" }],
    [{ postalCode: 80302 }, { zip_code: "80302" }],
    [{ lastModifiedDateUTC: "09/12/2023 14:05:06" }, { pos_updated_date: "2023-09-12T14:05:06.000Z" }],
    [
      { mmjidNumber: "N/A", driversLicenseHash: " ", phone: "n/a", emailAddress: "N/A", gender: "N/A" },
      { pos_identification_type: null, medical_id: null, drivers_license_id: null, phone: null, gender: null },
    ],
  ])("with %j is converted", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test("has the points of the nightly totals", () => {
    expect(record({}, { pointsOf: (id: string) => `${id}.50` })).toMatchObject({ loyalty_points: "7.50" });
  });

  test("has no points if they are not reported", () => {
    expect(record({}, { pointsOf: unknownPoints }).loyalty_points).toBe(undefined);
  });

  test.each([
    ["Gold", "medical"],
    ["Silver", "rec"],
    ["Both", "medical"],
    ["Neither", null],
    ["Lapsed Patient", null],
    ["Med Patient", "medical"],
    ["Recreational", "rec"],
    ["Adult", "rec"],
    ["Walk-in", null],
    ["Direct", null],
    [null, null],
  ])("of the type %s has the type %s", (type, expected) => {
    const types = [
      { name: "Gold", isMedical: true, isRetail: false },
      { name: "Silver", isMedical: false, isRetail: true },
      { name: "Both", isMedical: true, isRetail: true },
      { name: "Neither", isMedical: false, isRetail: false },
      { name: "Lapsed Patient", isMedical: false, isRetail: false },
    ];
    expect(listedTypeOf(type, types)).toBe(expected);
  });

  test.each([
    ["M", "Male"],
    ["F", "Female"],
    ["female", "Female"],
    ["U", null],
    ["Not Specified", null],
    ["Unknown", null],
    ["X", "Other"],
    ["constructor", "Other"],
    [null, null],
  ])("of the gender %s has the gender %s", (gender, expected) => {
    expect(genderOf(gender)).toBe(expected);
  });
});
