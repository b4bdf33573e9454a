import { afterAll, describe, expect, test } from "vitest";
import committed from "../../../docs/openapi.json" with { type: "json" };
import { answeredWell, walk } from "../../api/paginate.ts";
import { demoDirectory, routes, type Served, serveBy, useStage } from "../../api/useStage.ts";
import { type DeployedStage, startDeployedStage } from "./deployedStage.ts";
import { methodsOf } from "./methods.ts";

// One stage for all tests, because it loads a bundle for every function.
let served: Promise<Served> | undefined;
async function serveDeployed(): Promise<Served> {
  const data = await demoDirectory();
  return { stage: await startDeployedStage(data), data, end: async () => undefined };
}
serveBy(() => {
  served ??= serveDeployed();
  return served;
});
afterAll(async () => (await served)?.stage.stop());

describe("deployed on AWS", () => {
  // The responses of all operations come after the reads, since they include removals.
  const files = ["conditional", "responses", "filters", "createCrb", "documents", "oauth", "rejections"];
  describe.each(files)("%s", async (file) => {
    await import(`../../api/${file}.long.test.ts`);
  });

  describe("the bundles", () => {
    const { call, stage } = useStage();

    test("respond to the typed client at all operations", async () => {
      const seen = await walk(stage());
      expect(answeredWell(seen).sort()).toEqual(routes.map(({ operationId }) => operationId).sort());
    });

    test("contain the description and its page", async () => {
      const { base_url } = stage().description;
      expect(await (await fetch(`${base_url}/openapi.json`)).json()).toEqual(committed);
      const page = await fetch(`${base_url}/docs`);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    });

    test("get no body above Lambda's 6 MB: the gateway responds with 413", async () => {
      const route = routes.find(({ operationId }) => operationId === "addRequirementDocument") ?? expect.fail();
      const bodyOf = (bytes: number) =>
        JSON.stringify({
          file_name: "a.txt",
          file_type: "text/plain",
          base64: Buffer.alloc(bytes, "x").toString("base64"),
        });
      expect((await call(route, { body: bodyOf(4_400_000) })).status).toBe(200);
      const refused = await call(route, { body: bodyOf(4_800_000) });
      expect([refused.status, refused.json.name]).toEqual([413, "Payload Too Large"]);
    });

    test("read the freshness that the status page shows", async () => {
      const response = await fetch(`${stage().description.base_url}/status.json`);
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ api: "operational" })]);
    });

    test("allow no page of another origin, since the stage allows none", async () => {
      const headers = { Origin: "https://some.page.example" };
      for (const method of ["OPTIONS", "GET"]) {
        const answer = await fetch(`${stage().description.base_url}/openapi.json`, { method, headers });
        expect([answer.ok, answer.headers.get("access-control-allow-origin")]).toEqual([true, null]);
      }
    });
  });

  describe("the functions", () => {
    const { stage } = useStage();
    const deployed = () => stage() as DeployedStage;

    test("are behind all routes of the operation registry", () => {
      const served = methodsOf(deployed().deployment).map(({ httpMethod, path }) => `${httpMethod} ${path}`);
      expect(served).toEqual(expect.arrayContaining(routes.map(({ method, path }) => `${method} ${path}`)));
    });

    test("were denied no call in the tests above", () => {
      expect(deployed().principals.rejections).toEqual([]);
    });
  });
});
