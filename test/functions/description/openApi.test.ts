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
