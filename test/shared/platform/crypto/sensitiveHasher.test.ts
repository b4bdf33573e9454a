import { describe, expect, test } from "vitest";
import { sensitiveHasher } from "../../../../shared/platform/crypto/sensitiveHasher.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";

useTestServiceKey();

const crbId = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const otherCrbId = "a1f4c9d2-7b38-4e56-9c0a-3d2e8f617b01";

// Computed with Python's hmac and with openssl (kdf HKDF, then mac HMAC), not with this code.
const zoe = "e9c06854f8ab62921f8482a8a1b0080501971c0ab5d8b35c3018115fd394b990";
const mail = "90a8a24cd56532037f2dcea14ffe148893306e7bcd5e28ae8a359114f613fd90";
const phone = "5f6b22fd6731614cd048cea7ab028e79ba60e5ca58d06a185b6324a1d4fb1a0f";
const license = "bb49585ce7871aa558bb9fc2bf7ce5109544a1e84f018e9ebf619889c3536cfd";

describe("the hash of a value is that of its normalized form", () => {
  const hash = sensitiveHasher(crbId);

  test.each([
    "zoë o'hara",
    "Zoë O'Hara",
    "  ZOË O'HARA\t",
    "Zoe\u0308 O'Hara",
    "\u0085\ufeffZOE\u0308 O'HARA\u3000",
    "Zo\u200be\u0308\u00a0\u2060O'\u00adHara",
    "Zoë\r\nO'Hara",
  ])("for the name %j", (value) => {
    expect(hash.name(value)).toBe(zoe);
  });
  test.each(["ana@example.com", " Ana@EXAMPLE.com ", "\u202aana@exam\u00adple.com\u202c"])(
    "for the e-mail address %j",
    (value) => {
      expect(hash.email(value)).toBe(mail);
    },
  );
  test.each([
    "3035550142",
    "(303) 555-0142",
    "303.555.0142",
    " 303 555 0142 ",
    "3035550142.0",
    "3035550142.00",
    "+1 (303) 555-0142",
    "13035550142",
    "1-303-555-0142.",
    "303 555 0142 ext. 3",
    "303-555-0142 x12",
    "(303) 555-0142 #7",
    "\u202d303\u2011555\u20110142\u202c",
    "\uff13\uff10\uff13 555 0142",
  ])("for the phone number %j", (value) => {
    expect(hash.phone(value)).toBe(phone);
  });
  test.each(["Md-0042 x", "\nMd-0042 x ", "\u0085Md-0042 x\u2003", "Md\u200b-0042\u00a0x", "\ufeffMd-0042 x\u200e"])(
    "for the id %j",
    (value) => {
      expect(hash.id(value)).toBe(license);
    },
  );
  test("letter case and inner spaces count in an id, and inner spaces in a name", () => {
    expect(hash.id("MD-0042 X")).not.toBe(license);
    expect(hash.id("Md-0042x")).not.toBe(license);
    expect(hash.name("zoëo'hara")).not.toBe(zoe);
  });
  test("a number with a fraction of zeros counts as the same id", () => {
    expect(hash.id("12345.0")).toBe(hash.id("12345"));
    expect(hash.id("12345.5")).not.toBe(hash.id("12345"));
  });
  test.each(["+44 303 555 0142", "23035550142", "303555014", "1303555014", "555.0000", "11035550142"])(
    "the phone number %j keeps all its digits",
    (value) => {
      expect(hash.phone(value)).toBe(hash.phone(value.replace(/\D/g, "")));
      expect(hash.phone(value)).not.toBe(phone);
    },
  );
  test("composed and decomposed characters count as the same in an id", () => {
    expect(hash.id("É-7")).toBe(hash.id("E\u0301-7"));
  });
  test.each([null, undefined, "", "   ", "\t\n", "\u0085\u00a0"])("%j has no hash", (value) => {
    expect([hash.name(value), hash.email(value), hash.phone(value), hash.id(value)]).toEqual([null, null, null, null]);
  });
  test("a phone number without digits has no hash", () => {
    expect(hash.phone("none / unknown")).toBeNull();
  });
});

test("equal texts of two kinds have different hashes", () => {
  const hash = sensitiveHasher(crbId);
  const hashes = [hash.name("3035550142"), hash.email("3035550142"), hash.phone("3035550142"), hash.id("3035550142")];
  expect(new Set(hashes).size).toBe(4);
  expect(hash.name("ana@example.com")).toBe("cc29ed2ea54dcf3368b679802951b75b3ebee9409b940391760c523306587328");
});

test("another business has other hashes of the same value", () => {
  expect(sensitiveHasher(otherCrbId).name("Zoë O'Hara")).toBe(
    "288a7d1f459743d8b3b53e25ab12948a314e9d758b6dabd3bf4e9b210e793e94",
  );
});

test("the letter case of the business's id does not change its hashes", () => {
  expect(sensitiveHasher(crbId.toUpperCase()).phone("3035550142")).toBe(phone);
});

test("hashes stay the same for more businesses than are cached", () => {
  for (let i = 0; i < 1_200; i++) sensitiveHasher(`business ${i}`);
  expect(sensitiveHasher(crbId).email("ana@example.com")).toBe(mail);
});

test("the keys of a business are created once, and are not cached forever", () => {
  const hasher = sensitiveHasher(crbId);
  sensitiveHasher(otherCrbId);
  expect(sensitiveHasher(crbId)).toBe(hasher);
  for (let i = 0; i < 501; i++) sensitiveHasher(`another business ${i}`);
  expect(sensitiveHasher(crbId)).not.toBe(hasher);
});
