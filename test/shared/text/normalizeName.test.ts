import { expect, test } from "vitest";
import { normalizeName } from "../../../shared/text/normalizeName.ts";

const name = "Café Straße 7";

test.each([
  ["letter case", "CAFÉ STRASSE 7"],
  ["blanks between words", "Café  Straße \t 7"],
  ["ends of lines between words", "Café\r\nStraße\u0085\u20287"],
  ["other blanks", "Café\u00a0Straße\u30007"],
  ["blanks around it", "\ufeff Café Straße 7\u3000"],
  ["decomposed form", "Cafe\u0301 Straße 7"],
  ["wide characters", "Ｃａｆé Straße ７"],
  ["characters of no width", "Ca\u200bf\ufeffé\u2060 Stra\u00adße\u200d 7\ufe0f"],
  ["direction marks", "\u202eCafé\u202c \u2066Straße\u2069 7"],
  ["tags and fillers", "Café\u{e0041} Straße\u3164 7\u115f"],
  ["a control character", "Ca\u0000fé\u001b Straße 7\u007f"],
  ["a character between a letter and its accent", "Cafe\u034f\u0301 Straße 7"],
  ["characters of no width among the blanks", "Café \u200b Straße 7"],
])("%s do not change the normalized name", (_, other) => {
  expect(normalizeName(other)).toBe("café strasse 7");
});

test.each(["Cafe Straße 7", "Café Straße", "CaféStraße 7", "Café Straße 7.", "Café Straße 8", ""])(
  "%j is another name",
  (other) => {
    expect(normalizeName(other)).not.toBe(normalizeName(name));
  },
);
