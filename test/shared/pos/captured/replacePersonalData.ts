import { readFileSync, writeFileSync } from "node:fs";
import { jsonText } from "../../../../infra/codegen/jsonText.ts";

/**
 * Rules for personal data and secrets, by field: `parent.name` in lower case without separators. A second replacement
 * does not change the result of the first.
 */
const rules: readonly [field: RegExp, replace: (value: string, name: string) => string][] = [
  [/(token|secret|password|apikey|authorization)[^.]*$/, () => "removed"],
  [/(phone|mobile|fax)[^.]*$/, inventedPhone],
  [/(birth|dob)[^.]*$/, inventedBirthday],
  [/(licen[cs]e(number|no|id)?|passport|permit|ssn|(medical|mmj|state)id|cardnumber)$/, masked],
  [/(street|addressline)[^.]*$|\.addr(ess)?\w?$/, () => "1 Main Street"],
  [/city$/, () => "Boulder"],
  [/(zip|postal)[^.]*$/, () => "80302"],
  [/\.(lat|lng|lon|latitude|longitude)$/, () => "0"],
  [/(note|comment|memo|remark|instruction|reason)[^.]*$/, () => "Note"],
  [/(first|last|middle|full|given|family|nick|display|sur)name$/, (_, name) => name],
  [
    /(customer|patient|member|buyer|contact|employee|staff|user|driver|budtender|cashier|by)\.?name$/,
    (_, name) => name,
  ],
];

const mail = /[^\s@"<>]+@[^\s@"<>]+\.\w+/g;
const phone = /(?<![\d.-])(\+?1[-. ]?)?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?![\d.-])/g;
const xmlField = /<([\w.]+)>([^<]+)<\/\1>/g;

/**
 * Replaces personal data in responses of a POS with invented data of the same form. Amounts, ids and the structure
 * stay. The rules know field names and no languages: a person must read the result.
 * @param body JSON, or the text of an XML document
 */
export function replacePersonalData(body: unknown, path = ""): unknown {
  if (Array.isArray(body)) return body.map((each) => replacePersonalData(each, path));
  if (body !== null && typeof body === "object") {
    const parent = path.split(".").at(-1);
    const fields = Object.entries(body).map(([name, value]) => {
      const plainName = name.toLowerCase().replace(/[^a-z0-9]/g, "");
      return [name, replacePersonalData(value, `${parent}.${plainName}`)];
    });
    return Object.fromEntries(fields);
  }
  if (typeof body === "number") return replaceNumber(body, path);
  return typeof body === "string" ? replaceText(body, path) : body;
}

function replaceNumber(value: number, path: string): number {
  const text = replaceText(String(value), path);
  return text === String(value) ? value : Number(text) || 0;
}

function replaceText(text: string, path: string): string {
  if (text.startsWith("<")) {
    return text.replace(xmlField, (_, name: string, value: string) => {
      const found = replaceText(value, `.${name.toLowerCase().replace(/[^a-z0-9.]/g, "")}`);
      return `<${name}>${found}</${name}>`;
    });
  }
  const plain = text.replace(mail, "person@example.com").replace(phone, inventedPhone);
  if (plain.trim() === "" || plain.includes("person@example.com")) return plain;
  const [, replace] = rules.find(([field]) => field.test(path)) ?? [];
  return replace ? replace(plain, path.split(".").at(-1) ?? "") : plain;
}

/** 555-01xx with the area code and the format of a phone number. */
function inventedPhone(value: string): string {
  const digits = value.replace(/\D/g, "");
  if (digits.length < 7) return "555-0100";
  if (/55501\d\d$/.test(digits)) return value;
  let remainingDigits = digits.length;
  return value.replace(/\d/g, (digit) => {
    remainingDigits--;
    return remainingDigits < 7 ? ("0010555"[remainingDigits] ?? digit) : digit;
  });
}

/** May 31, 1990, in the format of the value: a date, or epoch seconds or milliseconds. */
function inventedBirthday(value: string): string {
  if (/^-?\d+$/.test(value)) return value.length > 11 ? "644112000000" : "644112000";
  return value.replace(/\d{4}-\d\d-\d\d/, "1990-05-31").replace(/\d{1,2}\/\d{1,2}\/\d{2,4}/, "05/31/1990");
}

function masked(value: string): string {
  return value.replace(/\p{L}/gu, "X").replace(/\d/g, "0");
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) {
    const replaced = replacePersonalData(JSON.parse(readFileSync(file, "utf8")));
    writeFileSync(file, jsonText(replaced as object));
  }
}
