import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { deploy } from "../../../../infra/deploy/deploy.ts";
import { boundaryFingerprint } from "../../../../infra/permissions/boundary/fingerprint.ts";
import { type AwsSettings, stages } from "../../../../infra/stages/stages.ts";
import { storedFormat } from "../../../../shared/store/storedFormat.ts";
import { runHere } from "../../local/runHere.ts";
import {
  type AwsAnswer,
  type AwsCall,
  functionOf,
  noSuchStack,
  resourcesOf,
  respondAsAws,
  stackOf,
} from "../awsDouble.ts";

// Synthesizing takes seconds, and has its own tests.
let tried: unknown;
vi.mock("../../../../infra/deploy/synthesize.ts", () => ({
  synthesize: async (...of: unknown[]) => {
    tried = of.at(-1);
  },
}));

// The checks of `deploy` before it begins, in accounts that respond to its calls as AWS does.

/** The parts of an AWS account that `deploy` checks. */
interface Account {
  concurrency: number;
  /** Functions, and their reserved concurrency. */
  functions: { name: string; stage?: string; reserved: number }[];
  trails: string[];
  sending: boolean;
  production: boolean;
  /** Identities that SES has verified, and those that it has not. */
  verified: string[];
  unverified: string[];
  /** The identity that is in the stack of the stage. */
  stackIdentity?: string;
  /** A part of the address or target of a call that is denied. */
  forbidden?: string;
  isNew: boolean;
  /** The fingerprint of the stage's permissions boundary; undefined if it has none. */
  boundary: string | undefined;
  /** The resource types that AWS Backup may not back up or manage, by region. */
  backupLacks?: Record<string, string[]>;
  /** Whether its sealing key is a multi-region key. */
  multiRegion?: boolean;
  /** The limit of concurrency, and whether SES has left its sandbox, in the recovery region, if they differ. */
  concurrencyThere?: number;
  productionThere?: boolean;
  /** The states of the event source mappings of its first function. */
  mappings?: string[];
  /** The key of the restored table; null for a key that DynamoDB owns, undefined if there is no such table. */
  tableKey?: "CUSTOMER" | "AWS" | null;
  /** The format number of the stage's table; null if the table has none, undefined if it is not active. */
  format?: number | null | undefined;
  /** Whether the API was never deployed, although the data was. */
  lacksApi?: boolean;
}

const ready: Account = {
  concurrency: 1_000,
  functions: [],
  trails: ["audit"],
  sending: true,
  production: true,
  verified: ["mail.example.org"],
  unverified: [],
  isNew: true,
  format: storedFormat,
  boundary: boundaryFingerprint("sandbox"),
};
let account: Account;

const notFound = (name: string, status = 400): AwsAnswer => ({ status, body: { __type: name, message: "none" } });

function answerTo({ request, url, sent, action }: AwsCall): AwsAnswer {
  const call = `${url} ${action} ${sent}`;
  if (account.forbidden && call.includes(account.forbidden)) {
    return { status: 403, body: { __type: "AccessDeniedException", message: "User may not" } };
  }
  if (url === "/account-settings") return backupSettings(request);
  if (action === "DescribeStacks") return describeStacks(call);
  if (action === "ListStackResources") return listStackResources();
  if (call.includes("account-settings")) return accountSettings(request);
  if (call.includes("/concurrency")) {
    const found = account.functions.find(({ name }) => call.includes(`/functions/${name}/`)) ?? expect.fail(call);
    return { body: found.reserved > 0 ? { ReservedConcurrentExecutions: found.reserved } : {} };
  }
  if (call.includes("/2015-03-31/functions")) return listFunctions(call);
  if (call.includes("/event-source-mappings")) return listMappings();
  if (action === "DescribeKey") {
    const MultiRegion = account.multiRegion === true;
    return { body: { KeyMetadata: { KeyId: "k", MultiRegion, KeyManager: account.tableKey } } };
  }
  if (action === "DescribeTable") {
    if (account.tableKey === undefined) return notFound("ResourceNotFoundException");
    const KMSMasterKeyArn = "arn:aws:kms:us-west-2:1:key/k";
    return { body: { Table: account.tableKey ? { SSEDescription: { KMSMasterKeyArn } } : {} } };
  }
  if (action === "GetItem") {
    const { format } = account;
    if (format === undefined) return notFound("ResourceNotFoundException");
    return { body: format === null ? {} : { Item: { format: { N: String(format) } } } };
  }
  if (action === "DescribeTrails") return { body: { trailList: account.trails.map((Name) => ({ Name })) } };
  if (call.startsWith("/v2/email/account")) {
    const { sending: SendingEnabled, production, productionThere = production } = account;
    const ProductionAccessEnabled = isThere(request) ? productionThere : production;
    return { body: { SendingEnabled, ProductionAccessEnabled } };
  }
  const [, identity] = /^\/v2\/email\/identities\/(\S+)/.exec(call) ?? expect.fail(call);
  const name = decodeURIComponent(identity ?? "");
  return [...account.verified, ...account.unverified].includes(name)
    ? { body: { VerifiedForSendingStatus: account.verified.includes(name) } }
    : notFound("NotFoundException", 404);
}

/** The calls of AWS Backup share their path with Lambda's, except for the version. */
function backupSettings({ headers }: IncomingMessage): AwsAnswer {
  const lacking = account.backupLacks?.[regionOf(headers)] ?? [];
  const ResourceTypeOptInPreference = { DynamoDB: !lacking.includes("DynamoDB"), S3: !lacking.includes("S3") };
  const ResourceTypeManagementPreference = { DynamoDB: !lacking.includes("management") };
  return { body: { ResourceTypeOptInPreference, ResourceTypeManagementPreference } };
}

const regionOf = ({ authorization = "" }: IncomingMessage["headers"]): string =>
  /Credential=\w+\/\d+\/([\w-]+)\//.exec(authorization)?.[1] ?? "";

const isThere = ({ headers }: IncomingMessage): boolean => regionOf(headers) === "us-east-2";

function accountSettings(request: IncomingMessage): AwsAnswer {
  const reserved = account.functions.reduce((sum, each) => sum + each.reserved, 0);
  const concurrency = (isThere(request) ? account.concurrencyThere : undefined) ?? account.concurrency;
  const AccountLimit = { ConcurrentExecutions: concurrency, UnreservedConcurrentExecutions: concurrency - reserved };
  return { body: { AccountLimit } };
}

function listMappings(): AwsAnswer {
  const FunctionArn = `arn:aws:lambda:us-west-2:123456789012:function:${account.functions[0]?.name}`;
  const EventSourceMappings = (account.mappings ?? []).map((State) => ({ UUID: "u", FunctionArn, State }));
  return { body: { EventSourceMappings } };
}

/** One function per page. */
function listFunctions(call: string): AwsAnswer {
  const at = Number(/Marker=(\d+)/.exec(call)?.[1] ?? 0);
  const Functions = account.functions.slice(at, at + 1).map(({ name, stage }) => functionOf(name, stage));
  return { body: { Functions, ...(at + 1 < account.functions.length && { NextMarker: String(at + 1) }) } };
}

const listStackResources = (): AwsAnswer =>
  account.isNew
    ? noSuchStack
    : resourcesOf(
        ["DynamoDB::Table", "business-data-sandbox-data-Table"],
        ["SQS::Queue", "mail.example.org"],
        ["SES::EmailIdentity", "mail.example.org", "DELETE_COMPLETE"],
        ...(account.stackIdentity ? ([["SES::EmailIdentity", account.stackIdentity]] as const) : []),
      );

function describeStacks(call: string): AwsAnswer {
  const isBoundary = call.includes("StackName=boundary-of-business-data-");
  if (isBoundary && account.boundary !== undefined) return stackOf({ Fingerprint: account.boundary });
  if (isBoundary || account.isNew) return noSuchStack;
  if (account.lacksApi && call.includes("StackName=business-data-sandbox-api")) return noSuchStack;
  return stackOf({ KmsKeyId: "arn:aws:kms:us-west-2:1:key/k" });
}

const placeholders = { ...stages.sandbox };
const aws: AwsSettings = stages.sandbox.aws;
let callsFile: string;
beforeEach(async () => {
  account = { ...ready };
  const ours = {
    appUrl: "https://app.example.org",
    privacyUrl: "https://example.org/privacy",
    supportEmail: "b@example.org",
  };
  Object.assign(stages.sandbox, { ...ours, mailFrom: "Sandbox <a@mail.example.org>" });
  // Fails at once: if a deployment begins, the only output is its failure.
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "path-"));
  callsFile = join(directory, "calls");
  const program = `#!/bin/sh\necho "$*" >> ${callsFile}\n[ "$2" != "\${CDK_FAILS_AT:-$2}" ]\n`;
  writeFileSync(join(directory, "cdk"), program, { mode: 0o755 });
  await respondAsAws(answerTo);
  vi.stubEnv("PATH", `${directory}${delimiter}${process.env.PATH}`);
});
afterEach(() => void Object.assign(stages.sandbox, placeholders));

/** The output of `npm run deploy` after the line that names the target. */
async function deploySandbox(...options: string[]): Promise<{ notes: string; err: string }> {
  const { code, out, err } = await runHere(deploy, ["deploy", "--stage", "sandbox", "--yes", ...options]);
  expect(code).toBe(1);
  const [where, ...notes] = out.split("\n");
  expect(where).toBe("Stage sandbox, account 123456789012, region us-west-2");
  return { notes: notes.join("\n"), err };
}
/** The calls of the CDK. */
const calls = (): string[] => (existsSync(callsFile) ? readFileSync(callsFile, "utf8").trimEnd().split("\n") : []);
const begun = "cdk deploy failed; see its output above.\n";

test("an account that is ready gets the deployment without a note", async () => {
  expect(await deploySandbox()).toEqual({ notes: "", err: begun });
});

test("the alarm on the account's concurrency gets 80 % of the account's limit", async () => {
  Object.assign(account, { concurrency: 1_234, isNew: false });
  vi.stubEnv("CDK_FAILS_AT", "Background");
  expect(await deploySandbox()).toEqual({ notes: "", err: begun });
  const [, monitoring, ...others] = calls();
  expect(monitoring).toMatch(/^deploy Monitoring --exclusively .* --parameters ConcurrencyThreshold=987$/);
  expect(others).toEqual([expect.stringMatching(/^deploy Background --exclusively /)]);
});

describe("a given assembly", () => {
  const assemblyOf = (stage: string): string => {
    const directory = mkdtempSync(join(inject("temporaryDirectory"), "assembly-"));
    const Api = { type: "aws:cloudformation:stack", properties: { stackName: `business-data-${stage}-api` } };
    writeFileSync(join(directory, "manifest.json"), JSON.stringify({ artifacts: { Api } }));
    return directory;
  };

  test.each([
    [false, ""],
    [true, "/first"],
  ])("is deployed without synthesizing; in a new stage (%s), the data begins with %j of it", async (isNew, folder) => {
    account.isNew = isNew;
    const directory = assemblyOf("sandbox");
    tried = undefined;
    expect(await deploySandbox("--assembly", directory)).toEqual({ notes: "", err: begun });
    expect(tried).toBeUndefined();
    expect(calls()).toEqual([expect.stringContaining(`deploy Data --exclusively --app ${directory}${folder} `)]);
    expect(existsSync(directory)).toBe(true);
  });

  test.each([
    ["of another stage", () => assemblyOf("prod")],
    ["without a manifest", () => mkdtempSync(join(inject("temporaryDirectory"), "empty-"))],
    ["that does not exist", () => "/nowhere"],
  ])("%s is rejected before a call to AWS", async (_, make) => {
    const directory = make();
    expect(await runHere(deploy, ["deploy", "--stage", "sandbox", "--yes", "--assembly", directory])).toEqual({
      code: 1,
      out: "",
      err: `${directory} has no stack business-data-sandbox-api: name the output of npm run synth -- --stage sandbox.\n`,
    });
    expect(calls()).toEqual([]);
  });
});

describe("a deployment does not begin", () => {
  const otherFormat = (table: string, format = storedFormat + 1) =>
    `Table ${table} has stored data of format ${format}, and this release works on format ${storedFormat}: use a release of format ${format} (docs/operations/releases.md#stored-format).\n`;
  const noFormat = expect.stringMatching(/^Table \S+ has no format number: check that it is the table of the stage /);
  test.each<[string, Partial<Account>, string]>([
    [
      "in an account that may run too few functions",
      { concurrency: 9 },
      "Stage sandbox needs a concurrency of 10 in us-west-2, but the account's limit is 9. Request more from Service Quotas (AWS Lambda, Concurrent executions), or set ...concurrency.small in aws of the stage in infra/stages/stages.ts.\n",
    ],
    [
      "in a region that has all its trails",
      { trails: ["a", "b", "c", "d", "e"] },
      "us-west-2 has 5 CloudTrail trails (a, b, c, d, e), the maximum: remove one, so that the stage can log accesses to documents.\n",
    ],
    [
      "where SES has suspended sending",
      { sending: false },
      "SES has suspended sending for the account in us-west-2: ask AWS Support for the reason.\n",
    ],
    [
      "without a permissions boundary",
      { boundary: undefined },
      "Stage sandbox has no permissions boundary in us-west-2: run npm run bootstrap -- --stage sandbox as an administrator.\n",
    ],
    [
      "with the permissions boundary of another release",
      { boundary: boundaryFingerprint("prod") },
      "Stage sandbox has a permissions boundary that differs from this release's in us-west-2: run npm run bootstrap -- --stage sandbox as an administrator.\n",
    ],
  ])("%s, and says what to do", async (_, lacking, message) => {
    Object.assign(account, lacking);
    expect(await deploySandbox()).toEqual({ notes: "", err: message });
  });

  test.each([true, false])(
    "to a stage with another region whose existing keys work only in one: %s is a multi-region key",
    async (multiRegion) => {
      const settings = { ...aws, recoveryRegion: "us-east-2" };
      Object.assign(stages.sandbox, { aws: settings });
      Object.assign(account, { isNew: false, multiRegion, boundary: boundaryFingerprint("sandbox") });
      const { err } = await deploySandbox();
      if (multiRegion) expect(err).toBe(begun);
      else
        expect(err).toBe(
          "Stage sandbox was created without recoveryRegion, and KMS cannot convert its keys for another region (arn:aws:kms:us-west-2:1:key/k): remove recoveryRegion from the stage in infra/stages/stages.ts, or move the data to a new stage with recoveryRegion.\n",
        );
    },
  );

  test.each([
    [{ "us-west-2": ["S3"] }, "AWS Backup is not enabled for S3 in us-west-2: ", "us-west-2"],
    [{ "us-east-2": ["DynamoDB", "S3"] }, "AWS Backup is not enabled for DynamoDB and S3 in us-east-2: ", "us-east-2"],
    [{ "us-west-2": ["management"] }, "AWS Backup cannot copy tables from us-west-2 to another region: ", "us-west-2"],
  ])("to a stage with another region where AWS Backup lacks %o", async (backupLacks, problem, where) => {
    Object.assign(stages.sandbox, { aws: { ...aws, recoveryRegion: "us-east-2" } });
    Object.assign(account, { backupLacks, boundary: boundaryFingerprint("sandbox") });
    expect((await deploySandbox()).err).toBe(
      `${problem}run aws backup update-region-settings --region ${where} --resource-type-opt-in-preference DynamoDB=true,S3=true --resource-type-management-preference DynamoDB=true\n`,
    );
  });

  test.each<[string, Partial<Account>, Partial<AwsSettings>, unknown]>([
    ["of another format", { format: storedFormat + 1 }, {}, otherFormat("business-data-sandbox-data-Table")],
    ["without a number, on which functions may have worked", { format: null }, {}, noFormat],
    ["without a number, on which no function has worked", { format: null, lacksApi: true }, {}, begun],
    ["of this release's format", {}, {}, begun],
    ["that is restored, of another format", { format: 0 }, { tableName: "restored" }, otherFormat("restored", 0)],
    ["that is restored, without a number", { format: null, lacksApi: true }, { tableName: "restored" }, noFormat],
    [
      "that is in restoration",
      { format: undefined },
      { tableName: "restored" },
      "Table restored cannot be read in us-west-2: wait until it is active, or correct tableName.\n",
    ],
    [
      "that is in restoration, and paused",
      {
        format: undefined,
        functions: [{ name: "business-data-sandbox-workers-Worker", stage: "sandbox", reserved: 0 }],
        mappings: ["Disabled"],
      },
      { tableName: "restored" },
      begun,
    ],
  ])("on a table %s", async (_, given, settings, err) => {
    Object.assign(stages.sandbox, { aws: { ...aws, ...settings } });
    Object.assign(account, { isNew: false, ...given });
    expect((await deploySandbox()).err).toEqual(err);
  });

  test.each([
    ["CUSTOMER", begun],
    [
      "AWS",
      expect.stringMatching(/^Table business-data-sandbox-recovered of stage sandbox is not encrypted with a key /),
    ],
    [null, expect.stringMatching(/ is not encrypted with a key of the account: run aws dynamodb update-table /)],
    [undefined, expect.stringMatching(/^Region us-west-2 has no table business-data-sandbox-recovered: correct /)],
  ] as const)("on a restored table that must have a key of the account, whose key is of %s", async (tableKey, err) => {
    Object.assign(stages.sandbox, {
      aws: { ...aws, customerManagedKey: true, tableName: "business-data-sandbox-recovered" },
    });
    Object.assign(account, { tableKey });
    expect((await deploySandbox()).err).toEqual(err);
  });

  test("to a stage with another region that has no permissions boundary there", async () => {
    Object.assign(stages.sandbox, { aws: { ...aws, recoveryRegion: "us-east-2" } });
    account.boundary = undefined;
    expect((await deploySandbox()).err).toMatch(
      /^Stage sandbox has no permissions boundary in us-west-2: .* Stage sandbox has no permissions boundary in us-east-2: /,
    );
  });

  test("and names all problems at once", async () => {
    Object.assign(account, { concurrency: 9, trails: ["a", "b", "c", "d", "e"], sending: false });
    expect((await deploySandbox()).err).toMatch(
      /^Stage sandbox needs a concurrency .*\. us-west-2 has 5 .*\. SES has suspended .*\.\n$/,
    );
  });

  test.each(["account-settings", "DescribeTrails", "/v2/email/account", "/v2/email/identities", "DescribeStacks"])(
    "without the permission for %s, and says so",
    async (forbidden) => {
      account.forbidden = forbidden;
      expect((await deploySandbox()).err).toMatch(/^Cannot check whether this can be deployed: AWS reports .*\n$/);
    },
  );
});

test("the mock stage also needs its permissions boundary", async () => {
  account.boundary = undefined;
  const { err } = await runHere(deploy, ["deploy", "--stage", "mock", "--yes"]);
  expect(err).toMatch(/^Stage mock has no permissions boundary in us-west-2: /);
});

const advice =
  ". Request more from Service Quotas (AWS Lambda, Concurrent executions), or set ...concurrency.small in aws of the stage in infra/stages/stages.ts.\n";

describe("the concurrency that a stage needs", () => {
  const other = { name: "somebody-elses", reserved: 700 };
  const otherStage = { name: "business-data-prod-background-Worker", stage: "prod", reserved: 100 };
  const foreign = { name: "theirs", stage: "sandbox", reserved: 10 };
  const own = { name: "business-data-sandbox-background-Worker", stage: "sandbox", reserved: 250 };
  const unreserved = { name: "business-data-sandbox-api-Other", stage: "sandbox", reserved: 0 };
  // One at a time for each page, and 850 replications: with the 100 that AWS requires, more than the account has.
  const reserving = {
    ...aws,
    workers: { ...aws.workers, replication: 850 },
    reservedConcurrency: { workers: ["replication"] },
  } as const;

  test.each<[string, Partial<Account>, AwsSettings, string]>([
    [
      "must leave the 100 that AWS keeps for functions without a reservation",
      { concurrency: 951 },
      reserving,
      `Stage sandbox needs a concurrency of 952 in us-west-2 (852 reserved, and 100 that AWS keeps unreserved), but the account's limit is 951${advice}`,
    ],
    [
      "must be available in addition to the reservations of other functions",
      { concurrency: 1_000, functions: [other, otherStage, foreign, own] },
      { ...aws, accountConcurrency: 191 },
      `Stage sandbox needs a concurrency of 191 in us-west-2, but the account's limit is 1000, and 810 are reserved for other functions${advice}`,
    ],
  ])("%s", async (_, lacking, settings, message) => {
    Object.assign(account, lacking);
    Object.assign(stages.sandbox, { aws: settings });
    expect((await deploySandbox()).err).toBe(message);
  });

  test.each<[string, Partial<Account>, AwsSettings]>([
    ["exactly", { concurrency: 952 }, reserving],
    [
      "including the stage's own reservations",
      { concurrency: 1_060, functions: [other, otherStage, foreign, own, unreserved] },
      { ...aws, accountConcurrency: 250 },
    ],
    [
      "more than enough while the stage is paused",
      { concurrency: 100, isNew: false, functions: [own], mappings: ["Disabled", "Disabling"] },
      reserving,
    ],
  ])("is available: %s", async (_, lacking, settings) => {
    Object.assign(account, lacking);
    Object.assign(stages.sandbox, { aws: settings });
    expect((await deploySandbox()).err).toBe(begun);
  });
});

test("a deployment says why its stage could not move to the recovery region, and begins", async () => {
  Object.assign(stages.sandbox, { aws: { ...aws, recoveryRegion: "us-east-2" } });
  Object.assign(account, { isNew: false, multiRegion: true, concurrencyThere: 9, productionThere: false });
  account.boundary = boundaryFingerprint("sandbox");
  const begins = "Note: If its region is lost, stage sandbox cannot move to us-east-2 at once:";
  expect(await deploySandbox()).toEqual({
    notes: `${begins} Stage sandbox needs a concurrency of 10 in us-east-2, but the account's limit is 9${advice}${begins} SES is in its sandbox in us-east-2 and sends only to verified addresses: request production access from AWS.\n`,
    err: begun,
  });
});

describe("a paused stage", () => {
  const functions = [{ name: "business-data-sandbox-workers-Worker", stage: "sandbox", reserved: 0 }];
  const note = "Note: Stage sandbox stays paused: npm run resume -- --stage sandbox starts it.\n";

  test("stays paused by a deployment, which says so", async () => {
    Object.assign(account, { isNew: false, functions, mappings: ["Disabled", "Disabling"] });
    vi.stubEnv("CDK_FAILS_AT", "Api");
    expect(await deploySandbox()).toEqual({ notes: note, err: begun });
    expect(calls().at(-1)).toMatch(/^deploy Api .* --parameters Paused=yes/);
  });

  test("runs after a deployment if it is not paused", async () => {
    Object.assign(account, { isNew: false, functions, mappings: ["Enabled", "Enabling"] });
    vi.stubEnv("CDK_FAILS_AT", "Api");
    expect(await deploySandbox()).toEqual({ notes: "", err: begun });
    expect(calls().at(-1)).toMatch(/^deploy Api .* --parameters Paused=no/);
  });

  test("can be the first deployment, which then needs no concurrency", async () => {
    account.concurrency = 9;
    expect(await deploySandbox("--paused")).toEqual({ notes: note, err: begun });
  });

  test("is not deployed after an interrupted pause", async () => {
    Object.assign(account, { isNew: false, functions, mappings: ["Enabled", "Disabled"] });
    expect(await deploySandbox()).toEqual({
      notes: "",
      err: "Some event source mappings of stage sandbox are disabled: run npm run pause or npm run resume -- --stage sandbox first.\n",
    });
    expect(calls()).toEqual([]);
  });
});

describe("the stage's own identity in SES", () => {
  beforeEach(() => void Object.assign(stages.sandbox, { aws: { ...aws, makesMailIdentity: true } }));
  const refused =
    "SES already has the identity mail.example.org in us-west-2, and this stage did not create it. Remove makesMailIdentity from the stage in infra/stages/stages.ts; the stage then uses the existing identity.\n";

  test.each<[string, Partial<Account>, string]>([
    ["is rejected if it exists before the first deployment", {}, refused],
    ["is rejected if it exists and is not verified", { verified: [], unverified: ["mail.example.org"] }, refused],
    [
      "is rejected if the stage has created that of another domain",
      { isNew: false, stackIdentity: "example.org" },
      refused,
    ],
    ["is accepted if the stage has created it", { isNew: false, stackIdentity: "mail.example.org" }, begun],
    ["is created if none exists, even if an address is verified", { verified: ["a@mail.example.org"] }, begun],
  ])("%s", async (_, found, err) => {
    Object.assign(account, found);
    expect((await deploySandbox()).err).toBe(err);
  });

  test("must be verified by DKIM records, which a note mentions", async () => {
    account.verified = [];
    expect((await deploySandbox()).notes).toBe(
      "Note: SES has verified neither a@mail.example.org nor mail.example.org in us-west-2: invitations are not sent until one is verified. Add the DKIM records from the outputs of the deployment to the DNS of mail.example.org.\n",
    );
  });
});

describe("experimental connectors", () => {
  const list = (posConnectors: "real" | "sandbox", experimentalConnectors: string[]) =>
    Object.assign(stages.sandbox, { posConnectors, experimentalConnectors });

  test("are named in a note before a deployment begins", async () => {
    list("real", ["Alleaves", "Blaze"]);
    expect(await deploySandbox()).toEqual({
      notes:
        "Note: Stage sandbox offers experimental connectors (Alleaves, Blaze), whose mapping was checked neither against captured payloads nor against vendor documents. Compare their records with the POS before a service provider relies on them.\n",
      err: begun,
    });
  });

  test.each<["real" | "sandbox", string, string]>([
    ["real", "Canix", "Remove Canix from experimentalConnectors of stage sandbox in infra/stages/stages.ts: "],
    ["real", "Aleaves", "Remove Aleaves from experimentalConnectors of stage sandbox in infra/stages/stages.ts: "],
    ["sandbox", "Alleaves", "Empty experimentalConnectors of stage sandbox in infra/stages/stages.ts: "],
  ])(
    "prevent the deployment of a stage with %s POS systems if %s is listed",
    async (posConnectors, posType, begins) => {
      list(posConnectors, [posType]);
      const { notes, err } = await deploySandbox();
      expect(notes).toBe("");
      expect(err.slice(0, begins.length)).toBe(begins);
    },
  );
});

test("the number of trails does not matter once the stage has its own", async () => {
  Object.assign(account, { trails: ["a", "b", "c", "d", "e"], isNew: false });
  expect((await deploySandbox()).err).toBe(begun);
});

describe("a deployment begins with a note about mail", () => {
  test("if SES is in its sandbox", async () => {
    account.production = false;
    expect(await deploySandbox()).toEqual({
      notes:
        "Note: SES is in its sandbox in us-west-2 and sends only to verified addresses: request production access from AWS.\n",
      err: begun,
    });
  });

  test("if neither the sender nor its domain is verified", async () => {
    account.verified = [];
    expect(await deploySandbox()).toEqual({
      notes:
        "Note: SES has verified neither a@mail.example.org nor mail.example.org in us-west-2: invitations are not sent until one is verified. Verify one of them: with makesMailIdentity in infra/stages/stages.ts the stage creates the domain's identity, and you add its DKIM records to the DNS.\n",
      err: begun,
    });
    account.verified = ["a@mail.example.org"];
    expect((await deploySandbox()).notes).toBe("");
  });
});
