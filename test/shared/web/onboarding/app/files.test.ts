import { expect, test } from "vitest";
import { mimeTypeExtensions } from "../../../../../shared/api/enumerations.ts";
import { uploadCreation } from "../../../../../shared/api/schemas/documentRequests.ts";
import { Rejection, Unreachable } from "../../../../../shared/web/onboarding/app/failures.ts";
import {
  accepted,
  namesOf,
  problemOf,
  rejectionMessage,
  typeOf,
} from "../../../../../shared/web/onboarding/app/files.ts";

test("every accepted extension has its content type", () => {
  const extensions = Object.values<readonly string[]>(mimeTypeExtensions).flat();
  expect(accepted.split(",").sort()).toEqual([...new Set(extensions)].map((extension) => `.${extension}`).sort());
  for (const extension of extensions) {
    const type = typeOf(`A.B.${extension.toUpperCase()}`) as keyof typeof mimeTypeExtensions;
    expect(mimeTypeExtensions[type], extension).toContain(extension);
  }
});

test.each([
  ["scan.pdf", 5_242_880, undefined],
  ["scan.pdf", 5_242_881, "the limit is 5 MB"],
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
  [`${"x".repeat(300)}.jpeg`, { file_name: `${"x".repeat(240)}.jpeg`, friendly_name: "x".repeat(255) }],
])("%j is sent as %j, which the service accepts", (original, names) => {
  expect(namesOf(original)).toEqual(names);
  const file_type = typeOf(names.file_name);
  expect(uploadCreation.safeParse({ ...names, file_type, size: 1 }).error).toBeUndefined();
});

test("permanent rejections are distinguished from failures that are worth another try", () => {
  const of = (status: number, field: string) =>
    rejectionMessage(new Rejection(status, { fields: { [field]: { message: "" } } }));
  expect(of(422, "body.file_name")).toContain("name of the file");
  expect(of(422, "path.document_id")).toContain("does not match its name");
  expect(of(409, "")).toContain("no longer requested");
  expect([of(503, ""), of(500, ""), rejectionMessage(new Unreachable())]).toEqual([undefined, undefined, undefined]);
});
