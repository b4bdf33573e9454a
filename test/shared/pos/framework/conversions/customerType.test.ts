import { expect, test } from "vitest";
import { customerTypeOf, isCaregiver } from "../../../../../shared/pos/framework/conversions/customerType.ts";

test.each<[string | null, "medical" | "rec" | null]>([
  ["Medical", "medical"],
  ["MEDICAL_MMID", "medical"],
  ["MEDICAL-MMID", "medical"],
  ["MEDICAL_CAREGIVER", "medical"],
  ["MedicinalThirdParty", "medical"],
  ["medCustomer", "medical"],
  ["Med Patient", "medical"],
  ["Patients", "medical"],
  ["Caregiver", "medical"],
  ["MMJ", "medical"],
  ["Adult Patient", "medical"],
  ["Medical (18+ adult)", "medical"],
  ["Recreational", "rec"],
  ["recCustomer", "rec"],
  ["REC", "rec"],
  ["AdultUse", "rec"],
  ["Adult Use - 21+", "rec"],
  ["ADULT", "rec"],
  ["Non-Medical", null],
  ["nonmedical", null],
  ["Not a Patient", null],
  ["Former Patient", null],
  ["Expired Med Card", null],
  ["No Adult Use", null],
  ["Medical, not recreational", null],
  ["Medical & Recreational", null],
  ["Med/Rec", null],
  ["Medical or Adult Use", null],
  ["Direct", null],
  ["Record only", null],
  ["Media", null],
  ["Adulterated", null],
  ["Walk-in", null],
  ["vip", null],
  ["STAFF", null],
  ["", null],
  [null, null],
])("a customer of the type %s is %s", (name, expected) => {
  expect(customerTypeOf(name)).toBe(expected);
});

test.each<[string | null, true | null]>([
  ["Caregiver", true],
  ["Designated Caregivers", true],
  ["Non-Caregiver", null],
  ["Patient (no caregiver)", null],
  ["Patient", null],
  [null, null],
])("whether a customer of the type %s is a caregiver: %s", (name, expected) => {
  expect(isCaregiver(name)).toBe(expected);
});
