import { DeleteFunctionCommand, LambdaClient, paginateListFunctions } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewayErrors } from "../../gatewayErrors.ts";
import { Releases } from "./releases.ts";

/** Tests the gateway's own error responses, as far as the emulator can produce them. Breaks the deployment to do so. */
export function describeGatewayErrors(releases: () => Releases): void {
  describe("the gateway itself responds to", () => {
    let mock: Releases;
    const seen: string[] = [];

    beforeAll(async () => {
      mock = new Releases(releases().emulator, "mock");
      await mock.bundle();
      await mock.deploy(mock.synthesize());
    }, 120_000);

    afterAll(() => {
      const live = gatewayErrors().filter(({ shown }) => shown === "emulator");
      expect(seen.sort()).toEqual(live.map(({ type }) => type).sort());
    });

    /** Calls the API and expects the response of a type in the table of docs/operations/gateway-responses.md. */
    async function answers(type: string, url: string, init: RequestInit = {}): Promise<void> {
      const { status, name } = gatewayErrors().find((each) => each.type === type) ?? expect.fail(type);
      const answer = await fetch(url, init);
      expect([answer.status, await answer.json()]).toMatchObject([status, { name, status }]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-request-id")).toBeTruthy();
      seen.push(type);
    }

    test("an unknown route, and an unknown method", async () => {
      await answers("MISSING_AUTHENTICATION_TOKEN", `${releases().baseUrl}/nothing`);
      expect((await fetch(`${releases().baseUrl}/openapi.json`, { method: "PATCH" })).status).toBe(404);
      expect((await fetch(`${releases().baseUrl}/nothing`, { headers: { Authorization: "sk_x" } })).status).toBe(404);
    });

    test("a content type that a mock integration does not support", () =>
      answers("UNSUPPORTED_MEDIA_TYPE", `${mock.baseUrl}/auth/token`, {
        method: "POST",
        headers: { "Content-Type": "text/csv" },
        body: "a,b",
      }));

    test("the name of another stage", async () => {
      const answer = await fetch(`${releases().baseUrl.replace("/sandbox/", "/other/")}/openapi.json`);
      expect([answer.status, await answer.text()]).toEqual([403, '{"message":"Forbidden"}']);
    });

    test("a call of a deleted function", async () => {
      const client = new LambdaClient({});
      try {
        const all = await Array.fromAsync(paginateListFunctions({ client }, {}), ({ Functions = [] }) => Functions);
        const [{ FunctionName } = expect.fail()] = all
          .flat()
          .filter(({ Description }) => Description === "functions/serviceProviders/getServiceProvider.ts");
        await client.send(new DeleteFunctionCommand({ FunctionName }));
      } finally {
        client.destroy();
      }
      const path = "/service-providers/5b0c3f8e-2d64-4a1b-8f3d-9c7e1a6b2d40";
      await answers("API_CONFIGURATION_ERROR", `${releases().baseUrl}${path}`);
    });

    test("calls beyond the limit of the stage", async () => {
      await releases().takeNoCalls();
      await answers("THROTTLED", `${releases().baseUrl}/openapi.json`);
    });
  });
}
