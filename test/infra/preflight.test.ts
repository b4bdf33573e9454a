import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { deploy } from "../../infra/deploy.ts";
import { stages } from "../../infra/stages.ts";
import { runHere } from "./local/runHere.ts";

// What `deploy` says before it begins, of accounts that answer the calls it makes as AWS does.

/** An account of AWS, as far as `deploy` looks at it. */
interface Account {
  concurrency: number;
  trails: string[];
  sending: boolean;
  production: boolean;
  /** Identities that SES has verified. */
  verified: string[];
  /** The part of a call's address or target that it may not make. */
  forbidden?: string;
  isNew: boolean;
}

const ready: Account = {
  concurrency: 1_000,
  trails: ["audit"],
  sending: true,
  production: true,
  verified: ["mail.example.org"],
  isNew: true,
};
let account: Account;

const server = createServer(async (request, response) => {
  const { status = 200, body } = await answerTo(request);
  const type = body.startsWith("<") ? "text/xml" : "application/json";
  response.writeHead(status, { "Content-Type": type }).end(body);
});

async function answerTo(request: IncomingMessage): Promise<{ status?: number; body: string }> {
  let sent = "";
  for await (const chunk of request) sent += chunk;
  const call = `${request.url} ${request.headers["x-amz-target"] ?? ""} ${sent}`;
  if (account.forbidden && call.includes(account.forbidden)) {
    return { status: 403, body: JSON.stringify({ __type: "AccessDeniedException", message: "User may not" }) };
  }
  if (call.includes("GetCallerIdentity")) {
    const result = "<GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult>";
    return { body: `<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>` };
  }
  if (call.includes("DescribeStacks")) return describeStacks();
  if (call.includes("account-settings")) {
    return { body: JSON.stringify({ AccountLimit: { ConcurrentExecutions: account.concurrency } }) };
  }
  if (call.includes("DescribeTrails")) {
    return { body: JSON.stringify({ trailList: account.trails.map((Name) => ({ Name })) }) };
  }
  if (call.startsWith("/v2/email/account")) {
    const { sending: SendingEnabled, production: ProductionAccessEnabled } = account;
    return { body: JSON.stringify({ SendingEnabled, ProductionAccessEnabled }) };
  }
  const [, identity] = /^\/v2\/email\/identities\/(\S+)/.exec(call) ?? expect.fail(call);
  return account.verified.includes(decodeURIComponent(identity ?? ""))
    ? { body: JSON.stringify({ VerifiedForSendingStatus: true }) }
    : { status: 404, body: JSON.stringify({ __type: "NotFoundException", message: "there is none" }) };
}

function describeStacks(): { status?: number; body: string } {
  if (account.isNew) {
    const error = "<Code>ValidationError</Code><Message>Stack with id x does not exist</Message>";
    return { status: 400, body: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` };
  }
  const stack = "<member><StackStatus>UPDATE_COMPLETE</StackStatus></member>";
  const result = `<DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult>`;
  return { body: `<DescribeStacksResponse>${result}</DescribeStacksResponse>` };
}

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close().closeAllConnections());

const placeholders = { ...stages.sandbox };
beforeEach(() => {
  account = { ...ready };
  const ours = { appUrl: "https://app.example.org", supportEmail: "b@example.org" };
  Object.assign(stages.sandbox, { ...ours, mailFrom: "Sandbox <a@mail.example.org>" });
  // Ends at once, so that nothing but its failure is told of a deployment that begins.
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "path-"));
  writeFileSync(join(directory, "cdk"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${directory}${delimiter}${process.env.PATH}`);
  vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("AWS_REGION", "us-west-2");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "x");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "x");
});
afterEach(() => {
  Object.assign(stages.sandbox, placeholders);
  vi.unstubAllEnvs();
});

/** What `npm run deploy` prints behind the line of where it deploys to. */
async function deploySandbox(): Promise<{ notes: string; err: string }> {
  const { code, out, err } = await runHere(deploy, ["deploy", "--stage", "sandbox", "--yes"]);
  expect(code).toBe(1);
  const [where, ...notes] = out.split("\n");
  expect(where).toBe("Stage sandbox, account 123456789012, region us-west-2");
  return { notes: notes.join("\n"), err };
}
const begun = "cdk deploy has failed.\n";

test("an account that is ready is deployed to, without a word", async () => {
  expect(await deploySandbox()).toEqual({ notes: "", err: begun });
});

describe("a deployment does not begin", () => {
  test.each<[string, Partial<Account>, string]>([
    [
      "in an account that may run too few functions",
      { concurrency: 10 },
      "The account may run 10 functions at once in us-west-2, and this stage needs 100: ask Service Quotas for more (AWS Lambda, Concurrent executions), or lower accountConcurrency and reservedConcurrency in infra/stages.ts.\n",
    ],
    [
      "in a region that has all its trails",
      { trails: ["a", "b", "c", "d", "e"] },
      "us-west-2 has 5 trails of CloudTrail (a, b, c, d, e), and takes no other: remove one, so that accesses to documents can be logged.\n",
    ],
    [
      "where SES has stopped the account",
      { sending: false },
      "SES has stopped the account in us-west-2: ask AWS Support why.\n",
    ],
  ])("%s, and says what to do", async (_, lacking, message) => {
    Object.assign(account, lacking);
    expect(await deploySandbox()).toEqual({ notes: "", err: message });
  });

  test("until all that is in its way has been said", async () => {
    Object.assign(account, { concurrency: 10, trails: ["a", "b", "c", "d", "e"], sending: false });
    expect((await deploySandbox()).err).toMatch(
      /^The account may run .*\. us-west-2 has 5 .*\. SES has stopped .*\.\n$/,
    );
  });

  test.each(["account-settings", "DescribeTrails", "/v2/email/account", "/v2/email/identities", "DescribeStacks"])(
    "without the permission to ask for %s, and says so",
    async (forbidden) => {
      account.forbidden = forbidden;
      expect((await deploySandbox()).err).toMatch(/^AWS does not tell whether this can be deployed: .*\n$/);
    },
  );
});

test("trails are not counted once the stage has its own", async () => {
  Object.assign(account, { trails: ["a", "b", "c", "d", "e"], isNew: false });
  expect((await deploySandbox()).err).toBe(begun);
});

describe("a deployment begins, with a note of what to do about mail", () => {
  test("in SES's sandbox", async () => {
    account.production = false;
    expect(await deploySandbox()).toEqual({
      notes:
        "Note: SES is in its sandbox in us-west-2 and sends to verified addresses only: ask it for production access.\n",
      err: begun,
    });
  });

  test("where neither the sender nor its domain is verified, and not where one is", async () => {
    account.verified = [];
    expect(await deploySandbox()).toEqual({
      notes:
        "Note: SES has verified neither a@mail.example.org nor mail.example.org in us-west-2: until then invitations are not sent. Verify one: makesMailIdentity in infra/stages.ts has the stage make the domain's, whose DKIM records then go into its DNS.\n",
      err: begun,
    });
    account.verified = ["a@mail.example.org"];
    expect((await deploySandbox()).notes).toBe("");
  });
});
