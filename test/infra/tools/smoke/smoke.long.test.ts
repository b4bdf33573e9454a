import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { close, listen } from "../../../../infra/local/listen.ts";
import { openTarget } from "../../../../infra/tools/operator/target.ts";
import { createCrb } from "../../../../infra/tools/smoke/business.ts";
import { Caller } from "../../../../infra/tools/smoke/caller.ts";
import { smoke } from "../../../../infra/tools/smoke/smoke.ts";
import { makeOwn, removeOwn } from "../../../../infra/tools/smoke/smokeFixture.ts";
import { useStage } from "../../../api/useStage.ts";
import { scan } from "../../../tableState.ts";
import { runHere } from "../../local/runHere.ts";
import { printed, startProgram } from "../../local/startedProcess.ts";

const { stage, data } = useStage();

const program = join(import.meta.dirname, "..", "..", "..", "..", "infra", "tools", "smoke", "smoke.ts");
const run = (...parameters: string[]) => runHere(smoke, [...parameters, "--data", data()]);

/** The beginning of the ids that a run makes. */
const ofSmoke = "736d6f6b-6500-8";

/** Expects that the table contains nothing that a run has made. */
async function expectRemoved(): Promise<void> {
  const left = (await scan(stage().table)).filter((item) => JSON.stringify(item).includes(ofSmoke));
  expect(left).toEqual([]);
}

/** The stage with some of its responses changed. */
async function changed(change: (incoming: IncomingMessage, answer: IncomingMessage) => void): Promise<string> {
  const forward = (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url = "" } = incoming;
    const onward = request(stage().description.base_url + url, { method, headers }, (answer) => {
      change(incoming, answer);
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  };
  const server = createServer(forward);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${await listen(server, 0)}`;
}

test("a stage that conforms to the specification has no differences, and the run leaves nothing behind", async () => {
  const parts = ["tokens", "rejections", "a page", "documents", "linked", "a mail", "an alarm", "functions"];
  const { code, out, err } = await run(...parts.flatMap((part) => ["--only", part]));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Stage local, http.*\nleft out {2}functions, cold and warm: .*\nok {8}tokens \([\d.]+ s\)\n/);
  expect(out).toMatch(/\nok {8}a mail .*\nleft out {2}an alarm: .*\nAll responses agree with the guides\.\n/);
  expect(out).toMatch(/\nRemoving the data of this run, up to .*\n {2}removed CRB 1 of 4\n(?:.*\n)*.*CRB 4 of 4\n$/);
  await expectRemoved();
});

test("differences are reported by caller and call, and the run removes the resources that it made", async () => {
  const url = await changed(({ url: path, headers }, answer) => {
    // Without a gateway response for it, API Gateway answers in this way to a header that it takes for a signature.
    if (path === "/nothing/here" && headers.authorization) answer.statusCode = 403;
    if (path === "/auth/token") delete answer.headers["x-request-id"];
    if (path?.endsWith("/crbs?limit=0")) delete answer.headers["x-request-id"];
  });
  const { code, out, err } = await run("--url", url, "--only", "rejections", "--only", "tokens");
  expect({ code, err }).toEqual({ code: 1, err: "3 responses differ from the guides.\n" });
  expect(out).toMatch(/\nok {8}tokens .*\ndiffers {3}rejections /);
  expect(out).toContain(
    'rejections (docs/guide/errors.md): an unknown route, with a credential\n  expected  404 {"name":"Not Found","message":…,"status":404}\n  seen      403 {',
  );
  expect(out).toContain("a limit of 0: x-request-id\n  expected  /./\n  seen      absent\n");
  await expectRemoved();
});

test("without data, the run makes nothing and skips the checks that need data", async () => {
  const before = await scan(stage().table);
  const { code, out, err } = await run("--without-data");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(
    /^Stage local, http.*\nleft out {2}functions, cold and warm: .*\nok {8}calls without a credential .*\nAll responses agree with the guides\.\n$/,
  );
  expect(await scan(stage().table)).toEqual(before);
  const rejected = await run("--without-data", "--only", "tokens");
  expect(rejected.err).toBe(
    "There is no check tokens. Choose from: functions, cold and warm; calls without a credential.\n",
  );
});

test("a stage that does not respond is reported, and the run removes the resources that it made", async () => {
  const { code, out } = await run("--url", "http://127.0.0.1:9", "--only", "tokens");
  expect(code).toBe(1);
  expect(out).toMatch(
    /expected {2}to be tried to its end\n {2}seen {6}fetch failed: .*ECONNREFUSED|fetch failed: bad port/,
  );
  await expectRemoved();
});

test("an interrupted run finishes the current check, and removes the resources that it made", async () => {
  const started = startProgram(program, ["--data", data(), "--only", "tokens", "--only", "replication"]);
  await printed(started, "ok        tokens");
  // As npm and the terminal both send it.
  started.child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 50));
  started.child.kill("SIGINT");
  expect(await started.ended).toEqual({ code: 1, signal: null });
  expect(started.err).toBe("Interrupted.\n");
  expect(started.out).not.toContain("differs");
  await expectRemoved();
});

test("a later run removes the resources of a killed one, once none of its calls can still be running", async () => {
  const target = openTarget({ stage: "local", data: data() });
  try {
    const stores = { table: target.table, bucket: target.documents() };
    const own = await makeOwn(stores);
    const api = new Caller(stage().description.base_url, own.key);
    const signal = new AbortController().signal;
    await createCrb({ stage: "local", target, api, own, signal }, { invited: true });
    const began = Date.now();
    await removeOwn(stores, own.spId, { settledAfter: 2_000 });
    expect(Date.now() - began).toBeGreaterThan(2_000);
    await expectRemoved();

    const { spId } = await makeOwn(stores);
    const { code, out } = await run("--only", "tokens");
    expect(code).toBe(0);
    expect(out).toContain(`Removing the data of an earlier run (${spId}), up to two minutes for each CRB …\n`);
    await expectRemoved();
  } finally {
    target.close();
  }
});

test.each([
  [["--stage", "nowhere"], "--stage must be one of local, sandbox, prod"],
  [
    ["--stage", "sandbox"],
    "The environment names no stage: to work on stage sandbox, read its settings first (set -a; . .deployed/sandbox.env",
  ],
  [["--only", "nothing"], "There is no check nothing. Choose from: functions"],
  [["--nothing"], "Unknown option '--nothing'. See npm run smoke -- --help"],
])("%j is rejected in one line", async (parameters, line) => {
  const { code, out, err } = await run(...parameters);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(line);
});
