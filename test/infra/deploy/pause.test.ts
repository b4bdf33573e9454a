import { beforeEach, expect, test } from "vitest";
import { pauseOrResume } from "../../../infra/deploy/pause.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { storedFormat } from "../../../shared/store/storedFormat.ts";
import { runHere } from "../local/runHere.ts";
import { type AwsAnswer, type AwsCall, functionOf, resourcesOf, respondAsAws } from "./awsDouble.ts";

// The programs run against functions and event source mappings that keep their state, as Lambda's do.

interface Function {
  handler: string;
  stage: string;
  reserved?: number;
}

const { workers, reservedConcurrency } = stages.prod.aws;
let functions: Map<string, Function>;
let mappings: Map<string, { of: string; state: string }>;
let limit: number;
/** The format of the data in the table. */
let format: number;
/** The changes that Lambda accepted, in their order. */
let changes: string[];
/** The number of further changes that Lambda accepts. */
let accepted: number;
/** The number of changes of mappings that Lambda rejects because another change is in progress. */
let busy: number;

function answerTo({ request: { method }, url, sent, action }: AwsCall): AwsAnswer {
  if (action === "ListStackResources") return resourcesOf(["DynamoDB::Table", "t"]);
  if (action === "GetItem") return { body: { Item: { format: { N: String(format) } } } };
  if (url.includes("account-settings")) {
    const ConcurrentExecutions = limit;
    return { body: { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions: limit } } };
  }
  const arn = (name: string) => `arn:aws:lambda:us-west-2:123456789012:function:${name}`;
  if (method === "GET" && url.includes("/event-source-mappings")) {
    const list = [...mappings].map(([UUID, { of, state: State }]) => ({ UUID, FunctionArn: arn(of), State }));
    return { body: { EventSourceMappings: list } };
  }
  if (method === "GET") {
    return {
      body: { Functions: [...functions].map(([name, { stage, handler }]) => functionOf(name, stage, handler)) },
    };
  }
  const error = (name: string, status: number) => ({ status, body: { __type: name, message: "It is so." } });
  if (accepted-- <= 0) return error("AccessDeniedException", 403);
  const [, uuid] = /\/event-source-mappings\/(.+)$/.exec(url) ?? [];
  if (uuid !== undefined) {
    if (busy-- > 0) return error("ResourceInUseException", 400);
    const { Enabled } = JSON.parse(sent);
    Object.assign(mappings.get(uuid) ?? expect.fail(), { state: Enabled ? "Enabling" : "Disabling" });
    changes.push(`${uuid} ${Enabled ? "on" : "off"}`);
    return { body: {} };
  }
  const [, name = ""] = /\/functions\/([^/]+)\/concurrency$/.exec(url) ?? expect.fail(url);
  const found = functions.get(name) ?? expect.fail(name);
  if (method === "DELETE") delete found.reserved;
  else found.reserved = JSON.parse(sent).ReservedConcurrentExecutions;
  changes.push(`${name} ${found.reserved ?? "free"}`);
  return { body: {} };
}

const named = (name: string) => `business-data-prod-${name}`;
const pageFunction = named("api-CustomersFunctions-ListCustomers");
const recordFunction = named("api-CustomersFunctions-GetCustomer");
const reserved = () => Object.fromEntries([...functions].map(([name, each]) => [name, each.reserved]));
const states = () => [...mappings.values()].map(({ state }) => state);

beforeEach(async () => {
  functions = new Map<string, Function>([
    [named("workers-ReplicationWorker"), { handler: "replication/worker", stage: "prod", reserved: 72 }],
    [named("workers-InvitationSender"), { handler: "invitations/sender", stage: "prod" }],
    [pageFunction, { handler: "customers/listCustomers", stage: "prod", reserved: 40 }],
    [recordFunction, { handler: "customers/getCustomer", stage: "prod" }],
    ["business-data-sandbox-workers-ReplicationWorker", { handler: "replication/worker", stage: "sandbox" }],
    ["other", { handler: "x", stage: "prod" }],
  ]);
  mappings = new Map([
    ["replication", { of: named("workers-ReplicationWorker"), state: "Enabled" }],
    ["invitations", { of: named("workers-InvitationSender"), state: "Enabled" }],
    ["sandbox", { of: "business-data-sandbox-workers-ReplicationWorker", state: "Enabled" }],
    ["other", { of: "other", state: "Enabled" }],
  ]);
  [limit, format, accepted, busy, changes] = [3_000, storedFormat, Number.POSITIVE_INFINITY, 0, []];
  await respondAsAws(answerTo);
});

const run = (name: "pause" | "resume", stage = "prod") => runHere(pauseOrResume, [name, "--stage", stage]);

test("a pause disables the mappings of the stage, then stops its functions, and says so", async () => {
  const { code, out, err } = await run("pause");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.split("\n").slice(1, -1)).toEqual([
    "Disabled 2 of 2 event source mappings: queues keep their messages.",
    "Stopped all 4 functions: calls get 503. Invocations that have begun end within 15 minutes.",
    "Stage prod is paused. npm run resume -- --stage prod starts it; until then, deployments leave it paused.",
  ]);
  expect(changes.slice(0, 2).sort()).toEqual(["invitations off", "replication off"]);
  expect(states()).toEqual(["Disabling", "Disabling", "Enabled", "Enabled"]);
  expect(Object.values(reserved())).toEqual([0, 0, 0, 0, undefined, undefined]);
});

test("a resumption gives each function its reservation, also one that was deployed during the pause, then enables the mappings", async () => {
  await run("pause");
  changes = [];
  const { code, out } = await run("resume");
  expect(code).toBe(0);
  expect(reserved()).toMatchObject({
    [named("workers-ReplicationWorker")]: workers.replication + workers.retries,
    [named("workers-InvitationSender")]: undefined,
    [pageFunction]: reservedConcurrency.page,
    [recordFunction]: undefined,
  });
  expect(changes.slice(-2).sort()).toEqual(["invitations on", "replication on"]);
  expect(out).toContain("Enabled 2 of 2 event source mappings.\nStage prod runs.\n");
});

test.each([
  ["pause", 1],
  ["pause", 3],
  ["resume", 2],
  ["resume", 5],
] as const)("a %s that ends after %i changes is completed by the same command", async (name, before) => {
  if (name === "resume") await run("pause");
  accepted = before;
  const { code, err } = await run(name);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^Stopped half-way: AWS reports AccessDeniedException: .* Run the same command again; it continues\.\n$/,
  );
  accepted = Number.POSITIVE_INFINITY;
  expect((await run(name)).code).toBe(0);
  expect(states().slice(0, 2)).toEqual(name === "pause" ? ["Disabling", "Disabling"] : ["Enabling", "Enabling"]);
  expect(reserved()[pageFunction]).toBe(name === "pause" ? 0 : reservedConcurrency.page);
});

test("a mapping that is being changed is changed afterward", async () => {
  busy = 1;
  expect((await run("pause")).code).toBe(0);
  expect(states()[0]).toBe("Disabling");
});

test("a resumption changes nothing in an account with too little concurrency", async () => {
  await run("pause");
  [limit, changes] = [1_000, []];
  const { code, err } = await run("resume");
  expect(code).toBe(1);
  expect(err).toMatch(/^Stage prod needs a concurrency of 2000 in us-west-2 /);
  expect(changes).toEqual([]);
});

test("a resumption changes nothing if the table has data of another format", async () => {
  await run("pause");
  [format, changes] = [storedFormat + 1, []];
  expect((await run("resume")).err).toMatch(new RegExp(`format ${storedFormat + 1}`));
  expect(changes).toEqual([]);
});

test("a stage without functions, or with pages only, is rejected", async () => {
  functions.clear();
  expect((await run("pause")).err).toBe("Stage prod has no functions in us-west-2.\n");
  expect((await run("pause", "mock")).err).toBe("Stage mock has only pages, which cannot be paused.\n");
});
