import type { Description } from "../../../../infra/tools/description/breakingChanges.ts";

/** A small API: an operation that accepts a shop and returns it. */
export function shops(): Description {
  const shop = () => ({
    type: "object",
    properties: {
      name: { type: "string", maxLength: 40, pattern: "^[A-Z]" },
      kind: { type: "string", enum: ["retail", "wholesale"] },
      size: { type: "integer", minimum: 0, maximum: 100 },
      owner: { anyOf: [{ $ref: "#/components/schemas/Owner" }, { type: "null" }] },
      tags: { type: "array", items: { type: "string" }, maxItems: 5 },
      event: { $ref: "#/components/schemas/EventType" },
      notes: { type: "object", additionalProperties: { type: "string" } },
      isOpen: { type: "boolean", const: true },
    },
    required: ["name"],
    not: { properties: { notes: false } },
  });
  return {
    info: { version: "1.0.0" },
    paths: {
      "/shops/{id}": {
        put: {
          operationId: "putShop",
          security: [{ access_auth: ["shop:read", "shop:write"] }],
          parameters: [
            { in: "path", name: "id", required: true, schema: { type: "string" } },
            { in: "query", name: "limit", schema: { type: "integer", maximum: 1000 } },
          ],
          requestBody: { content: { "application/json": { schema: { ...shop(), additionalProperties: false } } } },
          responses: {
            "200": { headers: { ETag: {} }, content: { "application/json": { schema: shop() } } },
            "404": { $ref: "#/components/responses/NotFound" },
          },
        },
      },
    },
    components: {
      schemas: {
        Owner: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        EventType: { type: "string", "x-extensible-enum": ["opened"] },
      },
      responses: { NotFound: { content: { "application/json": { schema: { type: "object" } } } } },
    },
  };
}

const path = ["paths", "/shops/{id}"];
const operation = [...path, "put"];
const limit = [...operation, "parameters", "1"];
const body = [...operation, "requestBody"];
const sent = [...body, "content", "application/json", "schema"];
const ok = [...operation, "responses", "200"];
const received = [...ok, "content", "application/json", "schema"];
const inBody = (...field: string[]) => [...sent, "properties", ...field];
const inAnswer = (...field: string[]) => [...received, "properties", ...field];
const named = ["components", "schemas"];
const owner = { $ref: "#/components/schemas/Owner" };
const word = { type: "string" };

/** The change, its place, the new value (absent if the change removes it), and the message about it. */
type Case = [name: string, where: string[], value: unknown, said: string];

export const breaking: Case[] = [
  ["a path that is gone", path, undefined, "was removed"],
  ["a method that is gone", operation, undefined, "was removed"],
  ["another operationId", [...operation, "operationId"], "saveShop", "is now called saveShop"],
  ["another scope", [...operation, "security"], [{ access_auth: ["admin"] }], "access: requires more than before"],
  ["another credential", [...operation, "security"], [{ cookie: [] }], "access: requires more than before"],
  ["a parameter that is gone", [...operation, "parameters"], [], "query.limit: was removed"],
  [
    "a new parameter that is required",
    [...operation, "parameters", "2"],
    { in: "query", name: "day", required: true, schema: word },
    "query.day: is now required",
  ],
  ["a parameter that became required", [...limit, "required"], true, "query.limit: is now required"],
  ["a lower bound of a parameter", [...limit, "schema", "maximum"], 500, "query.limit: maximum has changed"],
  ["a body that became required", [...body, "required"], true, "body: is now required"],
  ["no more JSON in requests", [...body, "content"], {}, "body: application/json was removed"],
  ["a field less in requests", inBody("size"), undefined, "body.size: was removed"],
  ["a field that became required", [...sent, "required"], ["name", "kind"], "body.kind: is now required"],
  ["a new field that is required", [...sent, "required"], ["name", "day"], "body.day: is now required"],
  ["a value less in requests", inBody("kind", "enum"), ["retail"], "body.kind: the value wholesale was removed"],
  [
    "a list of values where any would do",
    inBody("name", "enum"),
    ["A"],
    "body.name: is now limited to a list of values",
  ],
  ["another type in requests", inBody("tags", "items", "type"), "integer", "body.tags.0: type string became integer"],
  ["null that is rejected", inBody("owner"), owner, "body.owner: type null became object"],
  ["shorter text", inBody("name", "maxLength"), 30, "body.name: maxLength has changed"],
  ["another pattern", inBody("name", "pattern"), "^[A-F]", "body.name: pattern has changed"],
  ["a rule that is not known here", inBody("size", "multipleOf"), 5, "body.size: multipleOf has changed"],
  [
    "an object that is closed",
    inBody("notes", "additionalProperties"),
    false,
    "body.notes: no longer accepts further fields",
  ],
  [
    "another type of further fields",
    inBody("notes", "additionalProperties"),
    { type: "number" },
    "body.notes.*: type string became number",
  ],
  [
    "names that are bound",
    inBody("notes", "propertyNames"),
    { ...word, maxLength: 9 },
    "body.notes, names: type any became string",
  ],
  ["an answer that is gone", ok, undefined, "response 200: was removed"],
  ["another success", [...operation, "responses", "202"], {}, "response 202: is new"],
  ["a header that is gone", [...ok, "headers"], {}, "response 200: the header ETag was removed"],
  ["no more JSON in answers", [...ok, "content"], {}, "response 200: application/json was removed"],
  ["a field less in answers", inAnswer("size"), undefined, "response 200.size: was removed"],
  ["a field that may be missing", [...received, "required"], [], "response 200.name: may now be missing"],
  ["a field less of a named schema", [...named, "Owner"], { type: "object" }, "response 200.owner.name: was removed"],
  [
    "null where there was none",
    inAnswer("kind", "type"),
    ["string", "null"],
    "response 200.kind: type string became null",
  ],
  ["another type in answers", inAnswer("size", "type"), "number", "response 200.size: type integer became number"],
  [
    "a new value of a closed list",
    inAnswer("kind", "enum"),
    ["retail", "wholesale", "both"],
    "response 200.kind: the value both is new",
  ],
  [
    "a value less in answers",
    inAnswer("kind", "enum"),
    ["retail"],
    "response 200.kind: the value wholesale was removed",
  ],
  [
    "any value where there was a list",
    inAnswer("kind", "enum"),
    undefined,
    "response 200.kind: is no longer limited to a list of values",
  ],
  ["a guarantee that is gone", inAnswer("size", "maximum"), undefined, "response 200.size: maximum has changed"],
  [
    "a constant that is gone",
    inAnswer("isOpen"),
    { type: "boolean" },
    "response 200.isOpen: is no longer limited to a list of values",
  ],
  [
    "the other constant",
    inAnswer("isOpen"),
    { type: "boolean", not: { const: true } },
    "response 200.isOpen: is no longer limited to a list of values",
  ],
  ["another error", [...sent, "not"], { properties: { notes: {} } }, "body: not has changed"],
  [
    "another error",
    ["components", "responses", "NotFound", "content"],
    {},
    "response 404: application/json was removed",
  ],
];

export const compatible: [name: string, where: string[], value: unknown][] = [
  ["nothing", ["info", "version"], "1.1.0"],
  ["a new operation", ["paths", "/others"], { get: { operationId: "others", responses: {} } }],
  ["a scope less", [...operation, "security"], [{ access_auth: ["shop:write"] }]],
  ["no credential at all", [...operation, "security"], []],
  ["a new optional parameter", [...operation, "parameters", "2"], { in: "query", name: "day", schema: word }],
  ["a new optional field in requests", inBody("day"), word],
  ["a field that need not be sent", [...sent, "required"], []],
  ["a value more in requests", inBody("kind", "enum"), ["retail", "wholesale", "both"]],
  ["null in requests", inBody("size", "type"), ["integer", "null"]],
  ["a wider bound in requests", inBody("size", "maximum"), 1000],
  ["any text in requests", inBody("name", "pattern"), undefined],
  ["a new field in answers", inAnswer("day"), word],
  ["a field that is never missing", [...received, "required"], ["name", "kind"]],
  ["never null in answers", inAnswer("owner"), owner],
  ["a narrower bound in answers", inAnswer("size", "maximum"), 50],
  ["a value more of an open enumeration", [...named, "EventType", "x-extensible-enum"], ["opened", "closed"]],
  ["other words", inAnswer("size", "description"), "How large it is"],
  ["one more error", [...operation, "responses", "409"], {}],
  ["an error less", [...operation, "responses", "404"], undefined],
];
