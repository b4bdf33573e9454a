import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, inject, test, vi } from "vitest";
import { pipeline } from "../../../infra/pipeline/pipeline.ts";
import { respondAsAws, xmlErrorOf, xmlOf } from "../deploy/awsDouble.ts";
import { runHere } from "../local/runHere.ts";

const sandbox = ["--stage", "sandbox"];
const repository = ["--repository", "acme/data"];

test.each([[], ["--repository", "acme"], ["--repository", "acme/*"], ["--repository", "acme/data:environment:prod"]])(
  "npm run pipeline fails without one repository: %s %s",
  async (...parameters) => {
    const { code, out, err } = await runHere(pipeline, [...sandbox, ...parameters]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe("Add --repository OWNER/NAME. See npm run pipeline -- --help\n");
  },
);

test.each([[], ["--stage", "mock"], ["--stage", "staging"], ["--stage", "constructor"]])(
  "npm run pipeline fails without one of its stages: %s %s",
  async (...parameters) => {
    const { code, out, err } = await runHere(pipeline, [...parameters, ...repository]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe("Name the stage with --stage. It must be one of sandbox, prod.\n");
  },
);

describe("an account", () => {
  /** The names of the account's roles, one on each page of IAM's list; undefined if they may not be listed. */
  let roles: string[] | undefined;

  /** Runs the program with a program `cdk` that records its parameters. */
  async function prepare(stage: string) {
    const directory = mkdtempSync(join(inject("temporaryDirectory"), "path-"));
    const note = join(directory, "note");
    const program = `#!/bin/sh\necho "$STAGE $PIPELINE_REPOSITORY $1" > ${note}\nexit 1\n`;
    writeFileSync(join(directory, "cdk"), program, { mode: 0o755 });
    writeFileSync(note, "");
    await respondAsAws(({ sent }) => {
      if (roles === undefined) return xmlErrorOf("AccessDenied", "User may not", 403);
      const page = Number(/Marker=(\d+)/.exec(sent)?.[1] ?? 0);
      const member = roles[page] === undefined ? "" : `<member><RoleName>${roles[page]}</RoleName></member>`;
      const next = page + 1 < roles.length ? `<IsTruncated>true</IsTruncated><Marker>${page + 1}</Marker>` : "";
      return { body: xmlOf("ListRoles", `<Roles>${member}</Roles>${next}`) };
    });
    vi.stubEnv("PATH", `${directory}${delimiter}${process.env.PATH}`);
    const { code, err } = await runHere(pipeline, ["--stage", stage, ...repository]);
    expect(code).toBe(1);
    return { err, deployed: readFileSync(note, "utf8") };
  }

  test.each([
    ["with nothing", "sandbox", []],
    ["with what stays of a stage that was removed", "sandbox", ["business-data-prod-api-ApiCloudWatchRoleA"]],
    ["with its own stage and pipeline", "prod", ["business-data-prod-api-A", "pipeline-of-business-data-ProdA"]],
    [
      "with the mock stage and roles of others",
      "sandbox",
      ["business-data-mock-api-A", "Admin", "business-data-warehouse"],
    ],
  ])("%s can get the pipeline of a stage", async (_, stage, names) => {
    roles = names;
    expect(await prepare(stage)).toEqual({
      err: "cdk deploy failed; see its output above.\n",
      deployed: `${stage} acme/data deploy\n`,
    });
  });

  test.each([
    [
      "prod",
      "sandbox",
      ["Admin", "business-data-sandbox-api-A"],
      "stage sandbox (role business-data-sandbox-api-A)",
      "remove that stage",
    ],
    [
      "sandbox",
      "prod",
      ["Admin", "business-data-prod-api-A"],
      "stage prod (role business-data-prod-api-A)",
      "remove that stage",
    ],
    [
      "sandbox",
      "prod",
      ["pipeline-of-business-data-SandboxA", "pipeline-of-business-data-ProdA"],
      "a pipeline that deploys stage prod (role pipeline-of-business-data-ProdA)",
      "delete that role",
    ],
  ])("cannot get the pipeline of %s if it has %s: %s", async (stage, other, names, found, remedy) => {
    roles = names;
    const { err, deployed } = await prepare(stage);
    expect(err).toBe(
      `Account 123456789012 has ${found}, and a deployment of ${stage} could also change it: use another account for ${stage}, or ${remedy} first.\n`,
    );
    expect([deployed, err.includes(other)]).toEqual(["", true]);
  });

  test("cannot get a pipeline if its roles may not be listed", async () => {
    roles = undefined;
    const { err, deployed } = await prepare("sandbox");
    expect(err).toMatch(/^Cannot list the roles of account 123456789012: AccessDenied.*: User may not\n$/);
    expect(deployed).toBe("");
  });
});
