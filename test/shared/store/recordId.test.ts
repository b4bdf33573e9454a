import { expect, test } from "vitest";
import { recordId } from "../../../shared/store/recordId.ts";

const crbId = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";

test("a record's id is the UUIDv5 of its origin", () => {
  // Computed with Python's uuid.uuid5.
  expect(recordId(crbId, "customer", "Dutchie", "82057")).toBe("1700d45c-ed9d-5eff-bf03-ba6d97f2d8ef");
  expect(recordId(crbId.toUpperCase(), "customer", "Dutchie", "82057")).toBe("1700d45c-ed9d-5eff-bf03-ba6d97f2d8ef");
});
