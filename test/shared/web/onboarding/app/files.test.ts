import { expect, test } from "vitest";
import { mimeTypeExtensions } from "../../../../../shared/api/enumerations.ts";
import { Rejection, Unreachable } from "../../../../../shared/web/onboarding/app/failures.ts";
import { accepted, problemOf, rejectionMessage, typeOf } from "../../../../../shared/web/onboarding/app/files.ts";

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

test("permanent rejections are distinguished from failures that are worth another try", () => {
  const of = (status: number, field: string) =>
    rejectionMessage(new Rejection(status, { fields: { [field]: { message: "" } } }));
  expect(of(422, "body.file_name")).toContain("name of the file");
  expect(of(422, "path.document_id")).toContain("does not match its name");
  expect(of(409, "")).toContain("no longer requested");
  expect([of(503, ""), of(500, ""), rejectionMessage(new Unreachable())]).toEqual([undefined, undefined, undefined]);
});
