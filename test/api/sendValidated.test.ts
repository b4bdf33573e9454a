import { expect, test } from "vitest";
import type { Send } from "../../clients/typescript/withRetries.ts";
import { openApi } from "../../shared/api/openapi/openApi.ts";
import { sendValidated } from "./sendValidated.ts";

const baseUrl = "http://localhost:1/local";
const description = openApi({ closed: true });
const id = "5f0d9c1e-2b7a-4c63-8e15-a9340b6d27f8";
const customers = `/service-providers/${id}/crbs/${id}/customers`;
const access = `/service-providers/${id}/crbs/${id}/access`;
const emptyPage = { metadata: { total: 0, count: "0 - 0" }, data: [] };
const headers = { "x-request-id": "1", "x-content-type-options": "nosniff" };
const json = { ...headers, "Content-Type": "application/json" };

const answer = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { headers: json, ...init });

function send(path: string, init: RequestInit = {}, response = answer(emptyPage)): ReturnType<Send> {
  const request = new Request(baseUrl + path, { headers: { Authorization: "sk_x" }, ...init });
  return sendValidated(description, baseUrl, async () => response)(request);
}

test("a request and a response that fit the description pass unchanged", async () => {
  const response = await send(`${customers}?limit=5`);
  expect(await response.json()).toEqual(emptyPage);
  await send(customers, {}, new Response(null, { status: 304, headers }));
});

test.each<[violation: string, path: string, init: RequestInit, message: RegExp]>([
  ["a path that does not exist", "/no-such-path", {}, /GET \/no-such-path: it is not in the description/],
  ["a method that does not exist", customers, { method: "PUT" }, /PUT .*: it is not in the description/],
  ["an id that is no UUID", customers.replace(id, "x"), {}, /path: \/sp_id must match format "uuid"/],
  ["an undescribed parameter", `${customers}?page=2`, {}, /query: .*additional properties/],
  ["a parameter out of range", `${customers}?limit=0`, {}, /query: \/limit must be >= 1/],
  ["a parameter of another type", `${customers}?limit=few`, {}, /query: \/limit must be integer/],
  ["a missing credential", customers, { headers: {} }, /headers: the credential is missing/],
  ["a body of another content type", access, { method: "POST", body: "{}" }, /body: text\/plain.* is not in the/],
  ["a field of the body that is not described", access, bodyOf({ other: 1 }), /body: .*additional properties/],
  ["a missing body", "/auth/token", { method: "POST", headers: {} }, /body: no content type is not in the description/],
])("%s is a violation of the request", async (_, path, init, message) => {
  await expect(send(path, init)).rejects.toThrow(message);
});

function bodyOf(body: object): RequestInit {
  return {
    method: "POST",
    headers: { Authorization: "sk_x", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}

test.each<[violation: string, response: Response, message: RegExp]>([
  ["an undescribed status", answer({}, { status: 418 }), /response 418: it is not in the description/],
  [
    "a missing header",
    answer(emptyPage, { headers: { "x-content-type-options": "nosniff", "Content-Type": "application/json" } }),
    /headers: .*x-request-id/,
  ],
  ["another content type", answer(emptyPage, { headers }), /body: text\/plain.* is not in the description/],
  ["a missing field", answer({ data: [] }), /body: .*must have required property 'metadata'/],
  ["an undescribed field", answer({ ...emptyPage, more: true }), /body: .*additional properties/],
  [
    "a number as text",
    answer({ ...emptyPage, metadata: { total: "0", count: "0 - 0" } }),
    /body: \/metadata\/total must/,
  ],
])("%s is a violation of the response", async (_, response, message) => {
  await expect(send(customers, {}, response)).rejects.toThrow(message);
});
