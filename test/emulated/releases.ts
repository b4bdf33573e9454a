import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { bundle } from "../../infra/bundle.ts";
import { bundleSources } from "../../infra/bundleSources.ts";
import { createApp, type Tried } from "../../infra/synthesize.ts";
import { account, region } from "../deployed/template.ts";
import type { Emulator } from "./emulator.ts";
import { usePlaceholders } from "./placeholders.ts";

/** Releases of the sandbox, and their deployments. */
export class Releases {
  readonly #emulator: Emulator;
  readonly #directory = mkdtempSync(join(inject("temporaryDirectory"), "releases-"));
  readonly #bundles = join(this.#directory, "bundles");
  #made = 0;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  /** Makes the bundles and prepares the account. */
  async prepare(): Promise<void> {
    await bundle("sandbox", bundleSources, this.#bundles);
    await this.#cdk(this.synthesize(), ["bootstrap", `aws://${account}/${region}`]);
  }

  /** Makes a release, and gives its cloud assembly's directory. */
  synthesize(tried: Tried = {}): string {
    const outdir = join(this.#directory, `release-${this.#made++}`);
    createApp("sandbox", this.#bundles, { account, region }, { outdir }, tried).synth();
    usePlaceholders(outdir);
    return outdir;
  }

  /** The bundle of another function that does what this one does. */
  copyBundle(handler: string, copy: string): void {
    cpSync(join(this.#bundles, handler), join(this.#bundles, copy), { recursive: true });
  }

  /** Deploys a release, whole or some of its stacks; gives its outputs by name. @throws Error with what the CDK says */
  async deploy(release: string, stacks: readonly string[] = ["--all"]): Promise<Record<string, string>> {
    const file = join(this.#directory, "outputs.json");
    await this.#cdk(release, ["deploy", ...stacks, "--require-approval", "never", "--outputs-file", file]);
    const outputs: Record<string, Record<string, string>> = JSON.parse(readFileSync(file, "utf8"));
    return Object.assign({}, ...Object.values(outputs));
  }

  async #cdk(release: string, parameters: readonly string[]): Promise<void> {
    const env = { ...process.env, ...this.#emulator.environment };
    await promisify(execFile)("cdk", [...parameters, "--app", release], { env, maxBuffer: 64 * 1024 * 1024 });
  }
}
