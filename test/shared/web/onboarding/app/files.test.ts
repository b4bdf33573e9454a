import { expect, test } from "vitest";
import { mimeTypeExtensions } from "../../../../../shared/api/enumerations.ts";
import { uploadCreation } from "../../../../../shared/api/schemas/documentRequests.ts";
import { Rejection, Unreachable } from "../../../../../shared/web/browser/failures.ts";
import {
  accepted,
  isHeic,
  namesOf,
  problemOf,
  rejectionMessage,
  typeOf,
} from "../../../../../shared/web/onboarding/app/files.ts";

test("every accepted extension has its content type", () => {
  for (const extension of accepted.split(",")) {
    const type = typeOf(`A.B${extension.toUpperCase()}`) as keyof typeof mimeTypeExtensions;
    expect(mimeTypeExtensions[type], extension).toContain(extension.slice(1));
  }
});

test("documents, pictures and office documents are offered, and text and data files are not", () => {
  const offered = accepted.split(",").map((extension) => extension.slice(1));
  const others = Object.values<readonly string[]>(mimeTypeExtensions)
    .flat()
    .filter((extension) => !offered.includes(extension));
  expect([...new Set(others)].sort()).toEqual(["csv", "json", "svg", "txt", "vsd", "xml"]);
  for (const extension of others)
    expect(problemOf({ name: `license.${extension}`, size: 9 })).toContain("not accepted");
});

test.each(["IMG_1.HEIC", "IMG_1.heif", "live.heics"])("%s gets an instruction for the camera", (name) => {
  expect(problemOf({ name, size: 9 })).toContain("Most Compatible");
});

test.each([
  ["ftypheic", true],
  ["ftypheix", true],
  ["ftyphevc", true],
  ["ftypmif1", true],
  ["ftypmsf1", true],
  ["ftypisom", false],
  ["JFIF", false],
  ["", false],
])("a photo that begins with %j is a HEIC photo, whatever its name is: %s", (beginning, is) => {
  expect(isHeic(beginning)).toBe(is);
});

test.each([
  ["scan.pdf", 5_242_880, undefined],
  ["scan.pdf", 5_242_881, "the limit is 5 MB"],
  ["photo.jpeg", 20_000_000, undefined],
  ["photo.PNG", 20_000_000, undefined],
  ["photo.gif", 20_000_000, "the limit is 5 MB"],
  ["photo.tiff", 20_000_000, "the limit is 5 MB"],
  ["scan.pdf", 0, "is empty"],
  ["scan", 9, "not accepted"],
  ["pdf", 9, "not accepted"],
  ["program.exe", 9, "not accepted"],
])("%s of %i bytes: %s", (name, size, problem) => {
  if (problem) expect(problemOf({ name, size })).toContain(problem);
  else expect(problemOf({ name, size })).toBeUndefined();
});

test.each([
  ["scan.pdf", { file_name: "scan.pdf" }],
  ["SCAN.PDF", { file_name: "SCAN.pdf", friendly_name: "SCAN.PDF" }],
  ["license.v2.pdf", { file_name: "license-v2.pdf", friendly_name: "license.v2.pdf" }],
  [".pdf", { file_name: "document.pdf", friendly_name: ".pdf" }],
  ["a/b\\c.png", { file_name: "a-b-c.png", friendly_name: "a/b\\c.png" }],
  ["fdp\u202e.pdf", { file_name: "fdp-.pdf", friendly_name: "fdp-.pdf" }],
  ["sc\u200ban\u2764\ufe0f.pdf", { file_name: "scan\u2764.pdf", friendly_name: "scan\u2764.pdf" }],
  [`${"x".repeat(300)}.jpeg`, { file_name: `${"x".repeat(240)}.jpeg`, friendly_name: "x".repeat(255) }],
  // Neither an emoji with a skin tone, nor a flag, nor a letter with its accent is cut in the middle.
  ...["👍🏽", "🇺🇸", "q\u0323"].map((grapheme) => {
    const whole = `${"x".repeat(239)}${grapheme}`;
    const names = { file_name: `${"x".repeat(239)}.pdf`, friendly_name: `${whole}.pdf` };
    return [`${whole}.pdf`, names] as const;
  }),
  [`${"x".repeat(253)}👍🏽.pdf`, { file_name: `${"x".repeat(240)}.pdf`, friendly_name: "x".repeat(253) }],
  [`q${"\u0323".repeat(300)}.pdf`, { file_name: "document.pdf" }],
] as const)("%j is sent as %j, which the service accepts", (original, names) => {
  expect(namesOf(original)).toEqual(names);
  const file_type = typeOf(names.file_name);
  expect(uploadCreation.safeParse({ ...names, file_type, size: 1 }).error).toBeUndefined();
});

test("permanent rejections are distinguished from failures that are worth another try", () => {
  const of = (status: number, code: string, field = "") =>
    rejectionMessage(new Rejection(status, { code, fields: { [field]: { message: "" } } }));
  expect(of(422, "validation_failed", "body.file_name")).toContain("name of the file");
  expect(of(422, "validation_failed", "path.document_id")).toContain("does not match its name");
  expect(of(409, "requirement_archived")).toContain("no longer requested");
  expect(of(404, "not_found")).toContain("no longer requested");
  expect(of(409, "document_limit")).toContain("cannot add more documents");
  expect(rejectionMessage(new DOMException("", "NotReadableError"))).toContain("can no longer read this file");
  const passing = [of(503, "unavailable"), of(500, "unexpected"), of(409, "concurrent_changes")];
  const ofStore = [404, 409].map((status) => rejectionMessage(new Rejection(status, {})));
  for (const message of [...passing, ...ofStore, rejectionMessage(new Unreachable())]) expect(message).toBeUndefined();
});
