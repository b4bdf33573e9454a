import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { errorCodes } from "../../../shared/api/errorCodes.ts";
import { errorKinds, forbidden, invalid, notFound, ServiceError, toErrorResponse } from "../../../shared/api/errors.ts";
import { describeError } from "../../../shared/platform/aws/log.ts";

afterEach(() => vi.unstubAllEnvs());

const parsed = (error: unknown) => JSON.parse(toErrorResponse(error).body);

test.each([
  ["unauthorized", 401, "Unauthorized"],
  ["forbidden", 403, "Forbidden"],
  ["notFound", 404, "Not Found"],
  ["conflict", 409, "Conflict"],
  ["tooLarge", 413, "Payload Too Large"],
  ["invalid", 422, "Validation Failed"],
  ["throttled", 429, "Too Many Requests"],
  ["internal", 500, "Internal Server Error"],
  ["unavailable", 503, "Service Unavailable"],
] as const)("an error of kind %s has the status %i and the name %s", (kind, status, name) => {
  const response = toErrorResponse(new ServiceError(kind));
  expect(response.status).toBe(status);
  expect(JSON.parse(response.body)).toEqual({ name, code: errorCodes[kind][0], message: expect.any(String), status });
  const own = { 401: ["WWW-Authenticate"], 429: ["Retry-After"], 503: ["Retry-After"] } as Record<number, string[]>;
  expect(Object.keys(response.headers)).toEqual(own[status] ?? []);
});

test("Retry-After is in seconds", () => {
  expect(toErrorResponse(new ServiceError("throttled", { retryAfter: 17 })).headers).toEqual({ "Retry-After": "17" });
});

test("a 422 lists the failing fields, and an error can carry data", () => {
  const fields = { "query.limit": { message: "must be less", value: "5" } };
  expect(parsed(invalid(fields))).toEqual({
    name: "Validation Failed",
    code: "validation_failed",
    message: "The request is not valid.",
    status: 422,
    fields,
  });
  expect(parsed(new ServiceError("conflict", { message: "No.", data: { a: null } }))).toEqual({
    name: "Conflict",
    code: "status_not_allowed",
    message: "No.",
    status: 409,
    data: { a: null },
  });
});

test.each([new TypeError("holds 555-0100"), "holds 555-0100", undefined, null, { status: 200, message: "555-0100" }])(
  "an unknown failure is a 500 without details: %s",
  (failure) => {
    expect(parsed(failure)).toEqual({
      name: "Internal Server Error",
      code: "unexpected",
      message: "The service failed unexpectedly. Try again later.",
      status: 500,
    });
  },
);

test("only the local stage shows the stack", () => {
  vi.stubEnv("STAGE", "local");
  expect(parsed(notFound()).stack).toContain("errors.test.ts");
  vi.stubEnv("STAGE", "prod");
  expect(parsed(notFound())).not.toHaveProperty("stack");
});

test("the local stage links to the guide, except where the error has data of its own", () => {
  vi.stubEnv("STAGE", "local");
  expect(parsed(notFound()).data).toEqual({ help: "/docs#description/404-not-found" });
  expect(parsed(new ServiceError("conflict", { data: { org_id: "x" } })).data).toEqual({ org_id: "x" });
  vi.stubEnv("STAGE", "prod");
  expect(parsed(notFound())).not.toHaveProperty("data");
});

test("the guide has a section for each error, under the address that the local stage links to", () => {
  const guide = readFileSync("docs/guide/errors.md", "utf8");
  const headings = [...guide.matchAll(/^## (\d.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.values(errorKinds).map(({ status, name }) => `${status} ${name}`));
});

test.each(Object.entries(errorCodes))("the first code of the kind %s is its own", (kind, [first]) => {
  expect(errorKinds[kind as keyof typeof errorKinds].code).toBe(first);
});

test("an error has the code of its cause", () => {
  expect(parsed(forbidden("scope_missing", "No."))).toMatchObject({ code: "scope_missing", message: "No." });
  expect(parsed(notFound("CRB"))).toMatchObject({ code: "not_found", message: expect.stringContaining("No CRB") });
});

test("the specification lists every code with its status", () => {
  const spec = readFileSync("docs/spec.md", "utf8");
  const listed = [...spec.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`);
  const codes = Object.entries(errorCodes).flatMap(([kind, all]) =>
    all.map((code) => `${errorKinds[kind as keyof typeof errorKinds].status} ${code}`),
  );
  expect(listed).toEqual(codes);
});

test("a described error has its name, code, frames and cause, but no message", () => {
  const cause = Object.assign(new Error("cause holds 555-0100\nin two lines"), { code: "ECODE" });
  const text = JSON.stringify(describeError(new TypeError("holds 555-0100", { cause })));
  expect(text).not.toContain("555-0100");
  expect(text).not.toContain("in two lines");
  expect(JSON.parse(text)).toMatchObject({ name: "TypeError", cause: { name: "Error", code: "ECODE" } });
  expect(text).toContain("errors.test.ts");
});
