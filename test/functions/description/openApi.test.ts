import { expect, test } from "vitest";
import description from "../../../docs/openapi.json" with { type: "json" };
import { handler } from "../../../functions/description/openApi.ts";
import { requestEvent } from "../../requestEvent.ts";

/** The response at a path of the gateway, which begins with the stage's name unless a domain hides it. */
async function describedAt(path: string): Promise<typeof description> {
  const event = requestEvent({ resource: "/openapi.json" });
  const requestContext = { ...event.requestContext, path };
  const { statusCode, headers, body } = await handler({ ...event, requestContext });
  expect([statusCode, headers?.["Content-Type"]]).toEqual([200, "application/json"]);
  return JSON.parse(body);
}

test("the response is the committed description", async () => {
  expect(await describedAt("/openapi.json")).toEqual(description);
});

test("the server in the description is the address of the request", async () => {
  const [server] = (await describedAt("/prod/openapi.json")).servers;
  expect(server).toEqual({ ...description.servers[0], url: "/prod" });
});

/** All schemas in a part of the description, with their places. */
function schemasIn(part: unknown, place = "#"): { place: string; schema: Record<string, unknown> }[] {
  if (typeof part !== "object" || part === null) return [];
  const isExample = (key: string) => key === "example" || key === "examples";
  const below = Object.entries(part).filter(([key]) => !isExample(key));
  return [
    { place, schema: part as Record<string, unknown> },
    ...below.flatMap(([key, value]) => schemasIn(value, `${place}/${key}`)),
  ];
}

// Generators of clients make no type for "always null", and take every constant for a text.
test("no schema has a form for which generated clients do not compile", () => {
  const schemas = schemasIn(description.components.schemas).filter(({ place }) => !/\/not(\/|$)/.test(place));
  const places = schemas.flatMap(({ place, schema }) => {
    const isOnlyNull = schema.type === "null" && !/\/anyOf\/\d+$/.test(place);
    const isOtherConstant = "const" in schema && typeof schema.const !== "string";
    return isOnlyNull || isOtherConstant ? [place] : [];
  });
  expect(places).toEqual([]);
});
