import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { inject } from "vitest";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { bundleSources, pageSources } from "../../../infra/bundle/bundleSources.ts";
import { deployBoundary } from "../../../infra/deploy/deployBoundary.ts";
import { findOwnTable } from "../../../infra/deploy/release/stageResources.ts";
import { type AppOverrides, createApp } from "../../../infra/deploy/synthesize.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { claimStoredFormat } from "../../../shared/store/storedFormat.ts";
import type { Raised } from "../../alarms.ts";
import { makeDirectoryOnce } from "../../makeDirectoryOnce.ts";
import { account, region } from "../deployed/template.ts";
import type { Emulator } from "./emulator.ts";
import { usePlaceholders } from "./placeholders.ts";

/** The sandbox as tests deploy it, with an SES identity of its own. */
export const emulated: StageSettings = { ...stages.sandbox, aws: { ...stages.sandbox.aws, makesMailIdentity: true } };

/** Releases of a stage, and their deployments. */
export class Releases {
  /** Outputs of the last deployment, by name. */
  outputs: Record<string, string> = {};
  readonly emulator: Emulator;
  /** How to raise each alarm of the last release. */
  alarms: ReadonlyMap<string, Raised> = new Map();
  readonly #stage: "sandbox" | "mock";
  readonly #directory = mkdtempSync(join(inject("temporaryDirectory"), "releases-"));
  readonly #bundles: string;
  #made = 0;

  constructor(emulator: Emulator, stage: "sandbox" | "mock" = "sandbox") {
    this.emulator = emulator;
    this.#stage = stage;
    this.#bundles = join(inject("temporaryDirectory"), `bundles-${stage}`);
  }

  /** The emulator's address for the last deployed gateway. */
  get baseUrl(): string {
    return `${this.emulator.endpoint}/restapis/${this.#apiId}/${this.#stage}/_user_request_`;
  }

  get #apiId(): string {
    return /\/\/(\w+)\./.exec(this.outputs.BaseUrl ?? "")?.[1] ?? "";
  }

  /** Lowers the gateway's throttling limits to zero. */
  async takeNoCalls(): Promise<void> {
    const patchOperations = ["rateLimit", "burstLimit"].map((limit) => ({
      op: "replace",
      path: `/*/*/throttling/${limit}`,
      value: "0",
    }));
    const path = `/restapis/${this.#apiId}/stages/${this.#stage}`;
    await this.emulator.send("apigateway", "PATCH", path, { patchOperations });
  }

  /** Makes the bundles once for a whole run. */
  async bundle(): Promise<void> {
    const sources = this.#stage === "mock" ? pageSources : bundleSources;
    await makeDirectoryOnce(this.#bundles, async (unfinished) => void (await bundle(this.#stage, sources, unfinished)));
  }

  /** Bootstraps the account that the process's environment names. */
  async bootstrap(): Promise<void> {
    await deployBoundary(this.#stage, region);
    await this.#cdk(this.synthesize(), ["bootstrap", `aws://${account}/${region}`]);
  }

  /** Synthesizes a release; returns the directory of its cloud assembly. */
  synthesize(tried: AppOverrides = {}): string {
    const outdir = join(this.#directory, `release-${this.#made++}`);
    const settings = this.#stage === "mock" ? stages.mock : emulated;
    createApp(this.#stage, this.#bundles, { account, region }, { outdir }, { settings, ...tried }).synth();
    this.alarms = usePlaceholders(outdir, String(this.#made));
    return outdir;
  }

  /** Copies a bundle for another function with the same behavior. */
  copyBundle(handler: string, copy: string): void {
    cpSync(join(this.#bundles, handler), join(this.#bundles, copy), { recursive: true });
  }

  /**
   * Deploys a release, or some of its stacks.
   *
   * @throws Error with the CDK's message
   */
  async deploy(release: string, stacks: readonly string[] = ["--all"]): Promise<void> {
    const file = join(this.#directory, "outputs.json");
    await this.#cdk(release, ["deploy", ...stacks, "--require-approval", "never", "--outputs-file", file]);
    const outputs: Record<string, Record<string, string>> = JSON.parse(readFileSync(file, "utf8"));
    this.outputs = Object.assign({}, ...Object.values(outputs));
    if (this.#stage !== "mock") await this.#claimFormat();
  }

  /** As `npm run deploy` does for a new table. */
  async #claimFormat(): Promise<void> {
    const client = new DynamoDBClient({ region });
    try {
      await claimStoredFormat(client, await findOwnTable(this.#stage, region));
    } finally {
      client.destroy();
    }
  }

  async #cdk(release: string, parameters: readonly string[]): Promise<void> {
    const env = { ...process.env, ...this.emulator.environment };
    await promisify(execFile)("cdk", [...parameters, "--app", release], { env, maxBuffer: 64 * 1024 * 1024 });
  }
}
