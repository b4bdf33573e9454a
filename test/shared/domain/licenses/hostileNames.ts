import fc from "fast-check";

/** Unusual names, each difficult to handle in its own way. */
// biome-ignore format: a value on each line fills a screen
export const awkwardNames = [
  "", " ", "__proto__", "constructor", "toString", "🌿🍁", "👩‍🌾 Farm", "مزرعة خضراء", "‮evil", "Z̷a̴l̵g̶o̵", "é",
  "e\u0301", "ﬁne ﷺ ㏂ ½", "Straße", "İstanbul", "ΣΊΣΥΦΟΣ", "Mary's O’Neil", '"quoted"', "two\nlines\r\n\ttabs",
  "\u0000\u0007", "\u2028", "名前 株式会社", "𝔊reen 𐐀 \u{10FFFF}", "N1 SCO TUnknown WGreen", "ﾊﾝｶｸ", "Green Leaf",
  "GREENHOUSE", "g",
];

/** Unusual names and plausible ones: short and very long, of any script, of many words. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...awkwardNames) },
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...awkwardNames), { maxLength: 6 }).map((parts) => parts.join(" ")),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom("a", "ß", "g", "日", "𐐀"), minLength: 200, maxLength: 5_000 }),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1_000, max: 3_000 })
      .map((count) => Array.from({ length: count }, (_, i) => i.toString(36)).join(" ")),
  },
);
