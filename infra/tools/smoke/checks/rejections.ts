import { randomUUID } from "node:crypto";
import { type Answer, type Request, shortly } from "../caller.ts";
import type { Check, Trial } from "../trial.ts";

/** Error names of docs/spec.md#error-record. */
const names: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  413: "Payload Too Large",
  422: "Validation Failed",
};

type Refused = [what: string, status: number, method: string, path: string, request?: Request];

/** A body with this number of bytes, which exceeds the operation's limit. */
const bodyOf = (bytes: number): string => JSON.stringify({ text: "x".repeat(bytes - 11) });

const megabyte = 1_000_000;

/** Rejections by the functions, Lambda and the gateway. */
export const rejections: Check = {
  name: "rejections",
  page: "docs/guide/errors.md",
  async run(trial) {
    const { api, own, target } = trial.tried;
    const provider = `/service-providers/${own.spId}`;
    const madeUp = `sk_${"A".repeat(65)}`;
    const cases: Refused[] = [
      ["no credential", 401, "GET", provider, { authorization: null }],
      ["a made-up credential", 401, "GET", provider, { authorization: madeUp }],
      ["a credential with spaces in it", 401, "GET", provider, { authorization: "sk_1 2" }],
      ["a signature of AWS", 401, "GET", provider, { authorization: "AWS4-HMAC-SHA256 Credential=x/y, Signature=z" }],
      ["another service provider", 403, "GET", `/service-providers/${randomUUID()}`],
      ["the other path family", 403, "GET", `/crbs/${randomUUID()}`],
      ["a CRB that does not exist", 404, "GET", `${provider}/crbs/${randomUUID()}`],
      ["an unknown route", 404, "GET", "/nothing/here", { authorization: null }],
      ["an unknown route, with a credential", 404, "GET", "/nothing/here"],
      ["an unknown route, with a token", 404, "GET", "/nothing/here", { authorization: `Bearer at_${"A".repeat(65)}` }],
      ["an unknown method, with a credential", 404, "PATCH", provider],
      ["2 MB without a document", 413, "POST", `${provider}/crbs`, { body: bodyOf(2 * megabyte) }],
      ["11 MB", 413, "POST", `${provider}/crbs`, { body: bodyOf(11 * megabyte) }],
      ["a malformed id", 422, "GET", "/service-providers/nothing"],
      ["an unknown field", 422, "POST", `${provider}/crbs`, { body: { nothing: 1 } }],
      ["a body that is not JSON", 422, "POST", `${provider}/crbs`, { body: "{" }],
      ["another content type", 422, "POST", `${provider}/crbs`, { body: "a", headers: { "Content-Type": "text/csv" } }],
      ["a limit of 0", 422, "GET", `${provider}/crbs?limit=0`],
      ["an empty limit", 422, "GET", `${provider}/crbs?limit=`],
      ["a repeated limit", 422, "GET", `${provider}/crbs?limit=1&limit=2`],
    ];
    // On AWS at most 6 MB reach a function. The local stage has no such limit.
    if (!target.local) cases.push(["7 MB", 413, "POST", `${provider}/crbs`, { body: bodyOf(7 * megabyte) }]);
    for (const [what, status, method, path, request] of cases) {
      await api.call(method, path, request).then(
        (answer) => compare(trial, what, status, answer),
        (error) => trial.holds(what, `${status} ${names[status]}`, false, `no response: ${reason(error)}`),
      );
    }
  },
};

function compare(trial: Trial, what: string, status: number, answer: Answer): void {
  const { headers, json } = answer;
  const record = `${status} {"name":"${names[status]}","message":…,"status":${status}}`;
  const isRecord = json.name === names[status] && json.status === status && typeof json.message === "string";
  trial.holds(what, record, answer.status === status && isRecord, shortly(answer));
  trial.holds(`${what}: fields`, "only with status 422", (status === 422) === "fields" in json, shortly(answer));
  trial.holds(`${what}: stack`, "only on a local stage", !json.stack || Boolean(trial.tried.target.local), "there");
  for (const [name, pattern] of Object.entries(always)) {
    const value = headers.get(name);
    trial.holds(`${what}: ${name}`, String(pattern), pattern.test(value ?? ""), value ?? "absent");
  }
}

/** The headers of every error. */
const always = { "x-request-id": /./, "content-type": /^application\/json/, "cache-control": /^no-store$/ };

const reason = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);

/** Answers of pages, functions and gateway to calls without a valid credential. */
export const strangers: Check = {
  name: "calls without a credential",
  page: "docs/guide/errors.md",
  canRunWithoutData: true,
  async run(trial) {
    const { api } = trial.tried;
    const provider = `/service-providers/${randomUUID()}`;
    const cases: [what: string, status: number, path: string, authorization: string | null][] = [
      ["the API's description", 200, "/openapi.json", null],
      ["the page of the API", 200, "/docs", null],
      ["no credential", 401, provider, null],
      // The credential has a valid form, so the function looks it up in the table.
      ["a made-up credential", 401, provider, `sk_${"A".repeat(65)}`],
      ["an unknown route", 404, "/nothing/here", null],
    ];
    for (const [what, status, path, authorization] of cases) {
      const answer = await api.call("GET", path, { authorization });
      trial.holds(what, String(status), answer.status === status, shortly(answer));
    }
  },
};
