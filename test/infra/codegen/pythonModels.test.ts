import { expect, test } from "vitest";
import { PythonModels } from "../../../infra/codegen/pythonModels.ts";
import { openApi } from "../../../shared/api/openapi/openApi.ts";

const text = (schemas: ConstructorParameters<typeof PythonModels>[0]) => new PythonModels(schemas).toText().trim();

test("an object becomes a TypedDict after the types of its fields, with optional and nullable fields", () => {
  const Page = {
    description: "A page",
    properties: {
      data: { type: "array", items: { $ref: "#/components/schemas/Row" } },
      more: { anyOf: [{ properties: { at: { type: "number" } }, required: ["at"] }, { type: "null" }] },
      note: { type: ["string", "null"], description: "A note" },
    },
    required: ["data", "more"],
  };
  expect(text({ Page, Row: { type: "object" } })).toBe(`class PageMore(TypedDict):
    at: float


class Page(TypedDict):
    r"""A page"""
    data: list[Row]
    more: PageMore | None
    note: NotRequired[str | None]
    r"""A note"""


Row: TypeAlias = dict[str, Any]`);
});

test("an enumeration that may get new values accepts any text", () => {
  const known = { type: "string", enum: ["a", "b c"] };
  expect(text({ Closed: known })).toBe('Closed: TypeAlias = Literal["a", "b c"]');
  expect(text({ Open: { anyOf: [known, { type: "string" }] } })).toBe('Open: TypeAlias = Literal["a", "b c"] | str');
});

test("a field whose name is a keyword of Python can be written", () => {
  const Replay = { properties: { from: { type: "string" } }, required: ["from"] };
  expect(text({ Replay })).toBe('Replay = TypedDict("Replay", {\n    "from": "str",\n})');
});

test("only fields that the description leaves open have no type", () => {
  const schemas = openApi().components?.schemas as ConstructorParameters<typeof PythonModels>[0];
  const untyped = [...text(schemas).matchAll(/^ {4}(\w+): .*\bAny\b/gm)].map(([, field]) => field);
  expect([...new Set(untyped)].sort()).toEqual(["data", "pos_credentials", "value"]);
});
