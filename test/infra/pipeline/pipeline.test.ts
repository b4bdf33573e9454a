import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { pipeline } from "../../../infra/pipeline/pipeline.ts";
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

  const server = createServer(async (request, response) => {
    let sent = "";
    for await (const chunk of request) sent += chunk;
    response.setHeader("Content-Type", "text/xml");
    if (sent.includes("GetCallerIdentity")) {
      const result = "<GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult>";
      response.end(`<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`);
    } else if (roles === undefined) {
      const error = "<Error><Code>AccessDenied</Code><Message>User may not</Message></Error>";
      response.writeHead(403).end(`<ErrorResponse>${error}</ErrorResponse>`);
    } else {
      const page = Number(/Marker=(\d+)/.exec(sent)?.[1] ?? 0);
      const member = roles[page] === undefined ? "" : `<member><RoleName>${roles[page]}</RoleName></member>`;
      const next = page + 1 < roles.length ? `<IsTruncated>true</IsTruncated><Marker>${page + 1}</Marker>` : "";
      const result = `<ListRolesResult><Roles>${member}</Roles>${next}</ListRolesResult>`;
      response.end(`<ListRolesResponse>${result}</ListRolesResponse>`);
    }
  });
  beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
  afterAll(() => void server.close().closeAllConnections());
  afterEach(() => void vi.unstubAllEnvs());

  /** Runs the program with a program `cdk` that records its parameters. */
  async function prepare(stage: string) {
    const directory = mkdtempSync(join(inject("temporaryDirectory"), "path-"));
    const note = join(directory, "note");
    const program = `#!/bin/sh\necho "$STAGE $PIPELINE_REPOSITORY $1" > ${note}\nexit 1\n`;
    writeFileSync(join(directory, "cdk"), program, { mode: 0o755 });
    writeFileSync(note, "");
    vi.stubEnv("PATH", `${directory}${delimiter}${process.env.PATH}`);
    vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv("AWS_REGION", "us-west-2");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "x");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "x");
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
