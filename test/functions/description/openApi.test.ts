import { expect, test } from "vitest";
import description from "../../../docs/openapi.json" with { type: "json" };
import { handler } from "../../../functions/description/openApi.ts";
import { requestEvent } from "../../requestEvent.ts";

/** What is answered at a path of the gateway's, which holds the stage's name where no domain hides it. */
async function describedAt(path: string): Promise<typeof description> {
  const event = requestEvent({ resource: "/openapi.json" });
  const requestContext = { ...event.requestContext, path };
  const { statusCode, headers, body } = await handler({ ...event, requestContext });
  expect([statusCode, headers?.["Content-Type"]]).toEqual([200, "application/json"]);
  return JSON.parse(body);
}

test("the committed description is answered", async () => {
  expect(await describedAt("/openapi.json")).toEqual(description);
});

test("its server is where it was asked for", async () => {
  const [server] = (await describedAt("/prod/openapi.json")).servers;
  expect(server).toEqual({ ...description.servers[0], url: "/prod" });
});
