import { describe, expect, test } from "vitest";
import type { Operation } from "../../../shared/api/operation.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { keptResources } from "./keptResources.ts";
import type { Releases } from "./releases.ts";

/** Further releases of an existing stage. */
export function describeReleases(releases: () => Releases): void {
  describe("a release", () => {
    test("that adds a function, and one that removes one, can be deployed and rolled back without replacing resources", async () => {
      const before = await keptResources(releases().emulator);
      expect(Object.keys(before).length).toBeGreaterThan(9);
      const [model = expect.fail()] = operationRegistry.filter(
        ({ handler }) => handler === "authentication/exchangeToken",
      );
      const [route] = model.routes;
      const added: Operation = { ...model, handler: "made/exchangeAgain", routes: [{ ...route, path: "/made/again" }] };
      releases().copyBundle(model.handler, added.handler);
      const more = [...operationRegistry, added];
      const less = operationRegistry.filter(({ handler }) => handler !== "sales/listSales");
      // The second release removes the additions of the first, and the third restores what the second removed.
      const operations: (readonly Operation[])[] = [more, less, operationRegistry];
      for (const each of operations) {
        await releases().deploy(releases().synthesize({ operations: each }));
        expect(await keptResources(releases().emulator)).toEqual(before);
        expect((await fetch(`${releases().baseUrl}/openapi.json`)).status).toBe(200);
      }
    }, 600_000);
  });
}
