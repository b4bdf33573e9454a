import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { planOperation, type Wish } from "../../../../../infra/tools/generators/newOperation/plan.ts";
import { temporaryDirectories } from "../../../local/temporaryDirectories.ts";
import { root, useProjectCopy } from "../files/useProjectCopy.ts";

const temporaryDirectory = temporaryDirectories();

describe("invalid parameters", () => {
  test.each<[Wish, string]>([
    [{ name: "GetCrbSummary" }, "camelCase"],
    [{ name: "get-summary" }, "camelCase"],
    [{ name: "../getSummary" }, "camelCase"],
    [{ name: "summary" }, "camelCase"],
    [{ name: "getCrb" }, "The operation getCrb already exists"],
    [{ name: "searchCrbCustomers" }, "The operation searchCrbCustomers already exists"],
    [{ name: "getPos", caller: "both", path: "/crbs/{crb_id}/pos", scope: "trace" }, "point-of-sale:read"],
    [{ name: "getCrbPos", caller: "both" }, "leave Crb out"],
    [{ name: "getPos", caller: "anyone" }, "--caller must be one of serviceProvider, crb, both"],
    [{ name: "getPos", method: "PATCH" }, "--method must be one of GET, POST, PUT, DELETE"],
    [{ name: "getPos", path: "pos" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/Pos" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos/" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos/{pos_id}" }, "Add ids of records by hand"],
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
    [{ name: "getPos", group: "replication" }, "functions/replication contains files that are not operations"],
    [{ name: "searchCustomers" }, "The operation searchCustomers already exists"],
  ])("are rejected in one line: %j", (wish, message) => {
    expect(() => planOperation(wish, root)).toThrow(expect.objectContaining({ name: "StageError" }));
    expect(() => planOperation(wish, root)).toThrow(message);
    expect(() => planOperation(wish, root)).toThrow(/^[^\n]+\.$/);
  });

  test("include the name of an operation whose files exist", () => {
    const project = temporaryDirectory();
    mkdirSync(join(project, "functions", "crbs"), { recursive: true });
    writeFileSync(join(project, "functions", "crbs", "getCrbPos.ts"), "");
    expect(() => planOperation({ name: "getCrbPos" }, project)).toThrow("functions/crbs/getCrbPos.ts already exists");
  });
});

describe("in a copy of the project", () => {
  const project = useProjectCopy("operation");

  test("invalid parameters are rejected in one line, and nothing is written", async () => {
    expect(await project.expectNothing("getCrb")).toMatch(/^The operation getCrb already exists: [^\n]+\n$/);
    expect(await project.expectNothing()).toMatch(/^Missing required argument 'NAME'\. [^\n]+\n$/);
    expect(await project.expectNothing("getPos", "--color", "red")).toMatch(/^[^\n]*--color[^\n]+\n$/);
  });

  test.each([
    ["shared/api/operationRegistry.ts", "operationRegistry: readonly Operation[]", "operationRegistry: Operation[]"],
    ["test/api/paginate.ts", "async function readAsCrb(", "async function read("],
  ])("nothing is written if %s lacks the place for it", async (name, anchor, other) => {
    project.changeForNow(name, anchor, other);
    expect(await project.expectNothing("getPos", "--caller", "both")).toMatch(
      new RegExp(`^${name} must have exactly one block [^\n]+\n$`),
    );
  });

  test("nothing is written if a generator fails", async () => {
    const folder = join(project.folder, "events", "folder");
    mkdirSync(folder);
    onTestFinished(() => rmdirSync(folder));
    expect(await project.expectNothing("getPos")).toContain("infra/tools/generate/generate.ts failed");
  });

  describe("new operations", () => {
    const written: string[] = [];
    const names: string[] = [];

    // Each caller, each record, a read and a change, an existing group and a new one.
    test.each([
      ["getSummary", "--caller", "both"],
      ["getServiceProviderOverview", "--path", "/service-providers/{sp_id}/overview"],
      ["refreshCrbFigures", "--method", "POST", "--group", "reports"],
    ])("write %s", async (...parameters) => {
      const { out, written: files } = await project.write(...parameters);
      names.push(...[...out.matchAll(/^ {2}(\w+): /gm)].map(([, name = ""]) => name));
      written.push(...files);
    });

    test("are named after their callers", () => {
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

    test("have TODO notes only in new files", () => {
      project.expectMarks(written);
    });

    test("pass the tests of the operation registry, and their own", async () => {
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

    // Without the policies on AWS: synthesizing takes as long as all of this, and types know every permission set.
    test("pass the tests of every operation", async () => {
      const files = ["functions/rejectedRequests", "infra/local/mockStage", "infra/local/stage", "api/pagination"];
      const chosen = [...names, "typed client"].join("|");
      const out = await project.expectSuccess(
        "vitest",
        "run",
        ...files.map((name) => `test/${name}.test.ts`),
        "-t",
        chosen,
      );
      // Several tests of each operation.
      const [, passed] = /^(\d+) passed, 0 failed/m.exec(out) ?? [];
      expect(Number(passed)).toBeGreaterThan(10 * names.length);
    }, 600_000);
  });
});
