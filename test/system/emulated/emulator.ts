import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { freePort } from "../../../infra/local/engine.ts";
import { pythonPackages } from "../../pythonPackages.ts";
import { account, region } from "../deployed/template.ts";

/** An emulator of AWS in memory, on a port of 127.0.0.1. */
export interface Emulator {
  endpoint: string;
  /** Environment variables that make programs use it instead of AWS. */
  environment: Record<string, string>;
  /**
   * Calls a service that uses AWS's query protocol; returns the response as XML.
   *
   * @throws Error when the service rejects it
   */
  call(service: string, parameters: Record<string, string>): Promise<string>;
  /**
   * Calls a service that uses JSON over HTTP.
   *
   * @throws Error when the service rejects it
   */
  send(service: string, method: string, path: string, body: object): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts an emulator.
 *
 * @throws Error with the reason if its packages cannot be installed or it does not start
 */
export async function startEmulator(): Promise<Emulator> {
  const { directory, missing } = await pythonPackages(
    "system/emulated/requirements.txt",
    "what needs an emulator of AWS",
  );
  if (missing) throw new Error(missing);
  const home = await mkdtemp(join(inject("temporaryDirectory"), "emulator-"));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const places = { TMPDIR: home, S3_DATA_DIR: join(home, "s3"), STATE_DIR: join(home, "state") };
  const addresses = { BIND_HOST: "127.0.0.1", MINISTACK_HOST: "127.0.0.1", GATEWAY_PORT: String(port) };
  // Functions inherit its environment and must log their errors.
  const { POWERTOOLS_LOG_LEVEL: _, ...environment } = process.env;
  // A process group of its own, because it starts a process for each called function.
  const child = spawn("python3", ["-m", "ministack"], {
    cwd: home,
    detached: true,
    env: { ...environment, ...places, ...addresses, PYTHONPATH: directory },
  });
  const log = createWriteStream(join(home, "emulator.log"));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  await answers(child, endpoint);
  const keys = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
  const place = { AWS_REGION: region, CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region };
  return {
    endpoint,
    environment: { AWS_ENDPOINT_URL: endpoint, ...keys, ...place },
    call: (service, parameters) => signed(service, endpoint, { method: "POST", body: new URLSearchParams(parameters) }),
    async send(service, method, path, body) {
      await signed(service, `${endpoint}${path}`, { method, body: JSON.stringify(body) });
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await ended;
    },
  };
}

async function answers(child: ChildProcess, endpoint: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`The emulator ended with ${child.exitCode}`);
    if (
      await fetch(`${endpoint}/_localstack/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error("The emulator does not answer");
}

async function signed(service: string, url: string, init: RequestInit): Promise<string> {
  // The emulator identifies services by the scope of the signature, which it does not verify.
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=x`;
  const answer = await fetch(url, { ...init, headers: { Authorization: authorization } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${service} ${init.body}: ${text}`);
  return text;
}
