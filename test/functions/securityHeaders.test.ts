import { expect, test } from "vitest";
import { pages } from "../../shared/web/pageRoutes.ts";
import { requestEvent, testContext } from "../requestEvent.ts";
import { loadHandler } from "./callHandler.ts";

test.each(pages)(
  "$path requires browsers to use HTTPS, and to trust its content type",
  async ({ handler: file, path }) => {
    const handler = await loadHandler(file);
    // The file does not exist, so that paths with a file test the header of a 404.
    const event = requestEvent({ resource: path, path: path.includes("{file}") ? { file: "absent.js" } : {} });
    const requestContext = { ...event.requestContext, path };
    const { statusCode, headers } = await handler({ ...event, requestContext }, testContext);
    expect(headers?.["X-Content-Type-Options"]).toBe("nosniff");
    expect([statusCode, headers?.["Strict-Transport-Security"]]).toEqual([
      path.includes("{file}") ? 404 : path === "/" ? 302 : 200,
      "max-age=63072000; includeSubDomains",
    ]);
  },
);
