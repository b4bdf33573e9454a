import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { planOperation, type Wish } from "../../../../../infra/tools/generators/newOperation/plan.ts";
import { temporaryDirectories } from "../../../local/temporaryDirectories.ts";
import { root, useProjectCopy } from "../files/useProjectCopy.ts";

const temporaryDirectory = temporaryDirectories();

describe("bad parameters", () => {
  test.each<[Wish, string]>([
    [{ name: "GetCrbSummary" }, "camelCase"],
    [{ name: "get-summary" }, "camelCase"],
    [{ name: "../getSummary" }, "camelCase"],
    [{ name: "summary" }, "camelCase"],
    [{ name: "getCrb" }, "There is an operation getCrb"],
    [{ name: "searchCrbCustomers" }, "There is an operation searchCrbCustomers"],
    [{ name: "getPos", caller: "both", path: "/crbs/{crb_id}/pos", scope: "trace" }, "point-of-sale:read"],
    [{ name: "getCrbPos", caller: "both" }, "leave Crb out"],
    [{ name: "getPos", caller: "anyone" }, "--caller must be one of serviceProvider, crb, both"],
    [{ name: "getPos", method: "PATCH" }, "--method must be one of GET, POST, PUT, DELETE"],
    [{ name: "getPos", path: "pos" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/Pos" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos/" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos/{pos_id}" }, "added by hand"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos", caller: "serviceProvider" }, "--caller crb"],
    [{ name: "getPos", path: "/service-providers/{sp_id}/pos", caller: "both" }, "{crb_id}"],
    [{ name: "getPos", path: "/crbs/{crb_id}/customers" }, "listCustomers"],
    [{ name: "getPos", path: "/crbs/{crb_id}/customers/pos" }, "{customer_id} of getCustomer"],
    [{ name: "getPos", path: "/service-providers/{sp_id}/crbs/pos" }, "{crb_id} of getCrbInfo"],
    [{ name: "getPos", scope: "pos:read" }, "service-provider:read, point-of-sale:read"],
    [{ name: "getPos", scope: "crb:read" }, "service-provider:read, point-of-sale:read"],
    [{ name: "getPos", method: "PUT", scope: "service-provider:read" }, "service-provider:write"],
    [{ name: "addPos", method: "POST", caller: "crb" }, "--caller serviceProvider"],
    [{ name: "getPos", group: "../crbs" }, "camelCase"],
    [{ name: "getPos", group: "replication" }, "functions/replication holds no operations"],
    [{ name: "searchCustomers" }, "There is an operation searchCustomers"],
  ])("%j is refused with one line", (wish, told) => {
    expect(() => planOperation(wish, root)).toThrow(expect.objectContaining({ name: "StageError" }));
    expect(() => planOperation(wish, root)).toThrow(told);
    expect(() => planOperation(wish, root)).toThrow(/^[^\n]+\.$/);
  });

  test("a name is refused whose files exist", () => {
    const project = temporaryDirectory();
    mkdirSync(join(project, "functions", "crbs"), { recursive: true });
    writeFileSync(join(project, "functions", "crbs", "getCrbPos.ts"), "");
    expect(() => planOperation({ name: "getCrbPos" }, project)).toThrow("functions/crbs/getCrbPos.ts exists");
  });
});

describe("in a copy of the project", () => {
  const project = useProjectCopy("operation");

  test("bad parameters are refused with one line, and nothing is written", async () => {
    expect(await project.expectNothing("getCrb")).toMatch(/^There is an operation getCrb: [^\n]+\n$/);
    expect(await project.expectNothing()).toMatch(/^Missing required argument 'NAME'\. [^\n]+\n$/);
    expect(await project.expectNothing("getPos", "--color", "red")).toMatch(/^[^\n]*--color[^\n]+\n$/);
  });

  test.each([
    ["shared/api/operationRegistry.ts", "operationRegistry: readonly Operation[]", "operationRegistry: Operation[]"],
    ["test/api/paginate.ts", "async function readAsCrb(", "async function read("],
  ])("without its place in %s nothing is written", async (name, anchor, other) => {
    project.changeForNow(name, anchor, other);
    expect(await project.expectNothing("getPos", "--caller", "both")).toMatch(
      new RegExp(`^${name} must hold one block [^\n]+\n$`),
    );
  });

  test("when a generator fails nothing is written", async () => {
    const folder = join(project.folder, "events", "folder");
    mkdirSync(folder);
    onTestFinished(() => rmdirSync(folder));
    expect(await project.expectNothing("getPos")).toContain("infra/tools/generate/generate.ts failed");
  });

  describe("new operations", () => {
    const written: string[] = [];
    const names: string[] = [];

    // Each caller, each record, a read and a change, an old group and a new one.
    test.each([
      ["getSummary", "--caller", "both"],
      ["getServiceProviderOverview", "--path", "/service-providers/{sp_id}/overview"],
      ["refreshCrbFigures", "--method", "POST", "--group", "reports"],
    ])("%s is written", async (...parameters) => {
      const { out, written: files } = await project.write(...parameters);
      names.push(...[...out.matchAll(/^ {2}(\w+): /gm)].map(([, name = ""]) => name));
      written.push(...files);
    });

    test("have the names of their callers", () => {
      expect(names).toEqual(["getCrbSummary", "getSummary", "getServiceProviderOverview", "refreshCrbFigures"]);
    });

    test("pass types, linter, and the search for dead code", async () => {
      await project.expectSuccess("infra/tools/generate/generate.ts", "client");
      await project.expectSuccess("tsc");
      await project.expectSuccess(
        "biome",
        "check",
        "--error-on-warnings",
        ...written.filter((file) => !/openapi/i.test(file)),
      );
      await project.expectSuccess("knip");
    }, 300_000);

    test("say TODO in new files alone", () => {
      project.expectMarks(written);
    });

    test("pass what tests the operation registry as a whole, and their own tests", async () => {
      const own = written.filter((file) => file.endsWith(".test.ts"));
      const whole = [
        "rules",
        "api/operationRegistry",
        "shared/api/openapi",
        "infra/tools/description",
        "infra/local/routes",
      ];
      await project.expectSuccess("vitest", "run", ...own, ...whole.map((name) => `test/${name}`));
    }, 300_000);

    // Not the policies on AWS: to synthesize takes as long as all of this, and types know every permission set.
    test("pass what tests every operation", async () => {
      const files = ["functions/rejectedRequests", "infra/local/mockStage", "infra/local/stage", "api/pagination"];
      const chosen = [...names, "typed client"].join("|");
      const out = await project.expectSuccess(
        "vitest",
        "run",
        ...files.map((name) => `test/${name}.test.ts`),
        "-t",
        chosen,
      );
      // Several of each operation.
      const [, passed] = /^(\d+) passed, 0 failed/m.exec(out) ?? [];
      expect(Number(passed)).toBeGreaterThan(10 * names.length);
    }, 600_000);
  });
});
