import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyName, name, website, withoutOtherScheme } from "../../../../shared/api/schemas/requestFields.ts";

const failuresOf = (schema: typeof name | typeof website, value: string) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

describe("a real name is accepted", () => {
  test.each([
    "Green.Leaf Inc.",
    "J.R. O’Shaughnessy-Núñez",
    'Smith & Sons ("Kim\'s") #1, 24/7: <Best>',
    "Zoe\u0308 Łukasz Øre Straße Đặng",
    "محمد عبد الله",
    "שרה לוי",
    "अनिल क्षत्रिय",
    "தமிழ் வணிகம்",
    "สมชาย ใจดี",
    "王小明 株式会社大麻",
    "김철수",
    "Ἀλέξανδρος Νίκος",
    "Иванов Ёж",
    "High\u00a0Plains　Co",
    "Kaʻiulani 🌿",
    "x".repeat(255),
  ])("%j", (text) => {
    expect([failuresOf(name, text), failuresOf(anyName, text)]).toEqual([[], []]);
  });
});

describe("a name with a control or invisible character is rejected, and the message says why", () => {
  // biome-ignore format: a value on each line fills a screen
  test.each([
    "\u0000", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009b", "\u00ad", "\u034f", "\u061c", "\u115f",
    "\u17b4", "\u180e", "\u200b", "\u200c", "\u200d", "\u200e", "\u2028", "\u2029", "\u202e", "\u2060", "\u2066",
    "\u206a", "\u2800", "\u3164", "\ud800", "\udc00", "\ue000", "\ufe0f", "\ufeff", "\uffa0", "\ufff9", "\uffff",
    "\u{1d173}", "\u{e0001}", "\u{e0041}", "\u{e0100}", "\u{f0000}",
  ])("%j", (character) => {
    for (const schema of [name, anyName]) {
      expect(failuresOf(schema, `Kim${character}Lee`)).toContain(
        "must not contain control or invisible characters, such as line breaks, zero-width joiners or direction marks",
      );
    }
  });
});

test.each(["http://evil.example", "Kim://", "Kim：／／x", "Kim\u200b://x"])(
  "a name that contains a web address is rejected: %j",
  (text) => {
    for (const schema of [name, anyName]) expect(failuresOf(schema, text)).toContain("must not contain ://");
  },
);

test("blanks around a name are removed, and only a trading name may be empty", () => {
  expect([name.parse(" \nKim\t"), anyName.parse(" \n")]).toEqual(["Kim", ""]);
  expect(name.safeParse(" ").success).toBe(false);
});

describe("a website", () => {
  test.each([
    "example.com",
    "www.example.com/shop?a=b:c#d",
    "http://example.com",
    "https://example.com:8443/a:b",
    "example.com:8080",
    "example.com:8080/shop",
    "192.0.2.1:80",
    "shop@example.com",
    "example.com/javascript:x",
    "example.com?to=ftp://example.org",
    "HTTPS:example.com",
  ])("%s is accepted", (address) => {
    expect(failuresOf(website, address)).toEqual([]);
  });

  // biome-ignore format: a value on each line fills a screen
  test.each([
    "javascript:a.b", "javascript:alert.a(1)", "JavaScript:x@a.com", "javascript:x@a.com:80/", "javascript:1.a",
    "javascript:1#a.b", "javascript:1%0Aalert.a", "data:text.html,<script>", "data:x.b;base64,PHNjcmlwdD4",
    "vbscript:a.b", "ftp:a.b", "ftp:user@example.com", "mailto:kim@example.com", "tel:555.0100", "file:etc.passwd",
    "blob:a.b", "view-source:example.com", "user:password@example.com", "example.com:80@evil.example",
    "example.com:8080x", "example.com:123456", ":a.b",
  ])("%s is rejected for its scheme", (address) => {
    expect(failuresOf(website, address)).toEqual(["must have no scheme other than http or https"]);
  });

  test("no browser reads an accepted website as another scheme, except a host with its port", () => {
    const parts = ["javascript", "data", "ftp", "http", "https", "a", "1", "80", ...":.@#?/%=-+~\\", "%0A"];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((chosen) => chosen.join(""));
    let accepted = 0;
    fc.assert(
      fc.property(text, (address) => {
        if (!website.safeParse(address).success) return;
        accepted++;
        const url = URL.parse(address, "https://base.example");
        if (url && !["http:", "https:"].includes(url.protocol)) {
          expect(address).toMatch(/^[^:]*\.[^:]*:\d*([/?#]|$)/);
        }
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test.each([
    "ftp://example.com",
    "//example.com",
    " https://example.com",
    "https://example.com/\u202etxt",
    "https://example.com/a b",
    "java\tscript:a.b",
    "\u0001javascript:a.b",
    "javascript://example.com/%0Aalert(1)",
    "javascript:alert(1).com",
  ])("%j is rejected", (address) => {
    expect(failuresOf(website, address)).not.toEqual([]);
  });
});

// The time for these values is tested by linearWork.long.test.ts.
describe("an overlong value is rejected by its length", () => {
  test.each([
    ["a name of accents", name, `a${"\u0300\u0316".repeat(60_000)}`, "255"],
    ["a trading name of accents", anyName, `a${"\u0300\u0316".repeat(60_000)}`, "255"],
    ["a web address of dots", website, `${".".repeat(60_000)}:x`, "2048"],
  ] as const)("%s", (_of, schema, value, most) => {
    expect(failuresOf(schema, value)).toEqual([expect.stringContaining(most)]);
  });

  test("a long text of dots is also rejected by the check of schemes alone", () => {
    expect(withoutOtherScheme(`${".".repeat(60_000)}:x`)).toBe(false);
  });
});
