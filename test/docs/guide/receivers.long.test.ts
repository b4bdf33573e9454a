import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { close, listen } from "../../../infra/local/listen.ts";
import { sampleFolder } from "../../clients/sampleFolder.ts";
import {
  badHeaders,
  deliver,
  eventText,
  otherSecret,
  secret,
  signedHeaders,
} from "../../infra/tools/webhooks/signed.ts";
import { pythonPackages } from "../../pythonPackages.ts";
import { samplesOf } from "./samples.ts";

const samples = samplesOf(readFileSync("docs/guide/webhooks.md", "utf8"));
const [inPython, plain] = samples.filter(({ language }) => language === "python");
const inTypeScript = samples.find(({ language }) => language === "ts");
const folder = mkdtempSync(join(inject("temporaryDirectory"), "receivers-"));
symlinkSync(resolve("node_modules"), join(folder, "node_modules"));

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.log("There is no python3 here: the receivers in Python are skipped.");
let pythonPath: string | undefined;
beforeAll(async () => {
  if (!hasPython) return;
  const found = await pythonPackages("docs/requirements.txt", "the guide's receiver in Python");
  pythonPath = found.directory;
}, 300_000);

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  await close(server);
  return port;
}

/**
 * Runs a sample until the test ends.
 * @returns the address at which it receives webhooks, once it does
 */
async function started(program: string, file: string, code = ""): Promise<string> {
  writeFileSync(join(folder, file), code);
  const port = String(await freePort());
  const env = { PATH: process.env.PATH, PORT: port, WEBHOOK_SECRET: secret, PYTHONPATH: pythonPath };
  running.push(spawn(program, [file], { cwd: folder, env, stdio: "ignore" }));
  const url = `http://127.0.0.1:${port}/events`;
  await expect.poll(() => deliver(url, "", {}).catch(() => 0), { timeout: 30_000 }).toBe(400);
  return url;
}

const noted = (database: string) => {
  const db = new DatabaseSync(join(folder, database), { readOnly: true });
  const rows = db.prepare("SELECT id, type, crb_id, body FROM inbox ORDER BY rowid").all();
  db.close();
  return rows.map(({ body, ...row }) => ({ ...row, event: JSON.parse(String(body)) }));
};

describe.each([
  ["TypeScript", process.execPath, "receiver.mts", inTypeScript, "inbox-ts.db"],
  ["Python", "python3", "receiver.py", inPython, "inbox-py.db"],
  ["Python without a package", "python3", "plain.py", plain, "inbox-plain.db"],
])("the receiver in %s", (language, program, file, sample, database) => {
  test("records each event once and rejects deliveries without a valid signature", async ({ skip }) => {
    expect(sample?.code).toMatch(database);
    skip(program === "python3" && !hasPython, "there is no python3 here");
    skip(language === "Python" && !pythonPath, "the package cannot be installed here");
    const url = await started(program, file, sample?.code);
    const [first, second, third] = [eventText({ crb_id: secret.slice(6, 42) }), eventText(), eventText()];
    expect(await deliver(url, first)).toBe(204);
    expect(await deliver(url, second)).toBe(204);
    expect(await deliver(url, first)).toBe(204);
    // While a secret is being replaced, the receiver may get the new one first or the old one.
    expect(await deliver(url, third, signedHeaders(third, [otherSecret, secret]))).toBe(204);
    for (const [name, headersOf] of badHeaders) {
      const bad = eventText();
      expect(await deliver(url, bad, headersOf(bad)), name).toBe(400);
    }
    const altered = eventText({ type: "crb.updated" });
    expect(await deliver(url, `${altered} `, signedHeaders(altered))).toBe(400);
    const events = [first, second, third].map((text) => JSON.parse(text));
    expect(noted(database)).toEqual(events.map((event) => ({ ...pick(event), event })));
  }, 60_000);

  test("goes on after broken, slow and endless requests of strangers", async ({ skip }) => {
    skip(program === "python3" && !hasPython, "there is no python3 here");
    skip(language === "Python" && !pythonPath, "the package cannot be installed here");
    const url = await started(program, file, sample?.code);
    const slow = await sendPart(url, 100);
    const others = await Promise.all([sendPart(url, -1), sendPart(url, 10_000_000)]);
    (await sendPart(url, 100)).destroy();
    const long = eventText({ data: "x".repeat(2_000_000) });
    // A receiver may close the connection before it has read the body, or respond with 413.
    expect(await deliver(url, long).catch(() => 413)).toBe(413);
    for (const event of [eventText(), eventText()]) expect(await deliver(url, event)).toBe(204);
    expect(running.map(({ exitCode }) => exitCode)).toEqual([null]);
    // Node ends it after five minutes, and the receivers in Python after ten seconds.
    if (program === "python3") await once(slow, "close");
    for (const socket of [slow, ...others]) socket.destroy();
  }, 60_000);
});

test("the function in the guide about clients returns the status of the response to a delivery", () => {
  const ofClients = samplesOf(readFileSync("docs/guide/clients.md", "utf8"));
  const sample = ofClients.find(({ language, code }) => language === "ts" && code.includes("verifyWebhook"));
  const cwd = sampleFolder("status-of-");
  writeFileSync(join(cwd, "statusOf.mts"), sample?.code ?? expect.fail("no sample"));
  const body = eventText();
  const deliveries = JSON.stringify([signedHeaders(body), signedHeaders(body, [otherSecret])]);
  const code = `import { statusOf } from "./statusOf.mts";
    for (const headers of ${deliveries}) console.log(statusOf("${secret}", headers, Buffer.from(${JSON.stringify(body)})));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { cwd, encoding: "utf8" });
  expect(stdout).toBe(`crb.created ${JSON.parse(body).id}\n204\n400\n`);
});

/** Sends a request of a stranger, whose body ends after one byte. @returns the open connection */
async function sendPart(url: string, length: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
    .on("error", () => {})
    .resume();
  await once(socket, "connect");
  const part = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n\r\n{`;
  await new Promise((sent) => socket.write(part, sent));
  return socket;
}

const pick = ({ id, type, crb_id }: { id: string; type: string; crb_id: string | null }) => ({ id, type, crb_id });
