import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { pipelineStages } from "../../../infra/pipeline/pipelineStages.ts";

interface Step {
  id?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  concurrency?: object;
  needs?: string | string[];
  if?: string;
  environment?: string;
  outputs?: Record<string, string>;
  permissions?: Record<string, string>;
  "timeout-minutes": number;
  steps: Step[];
}

const readNightly = (): { on: object; jobs: Record<string, Job> } =>
  parse(readFileSync(".github/workflows/nightly.yml", "utf8"));
const text = readFileSync(".github/workflows/pipeline.yml", "utf8");
const workflow: { on: object; permissions: object; jobs: Record<string, Job> } = parse(text);
const { check = expect.fail(), synthesize = expect.fail(), attest = expect.fail(), ...deployments } = workflow.jobs;
const runs = ({ steps }: Job) => steps.flatMap(({ run = [] }) => run);
const uses = ({ steps }: Job, action: string) => steps.find((step) => step.uses?.startsWith(`${action}@`));
const inBraces = (expression: string) => ["$", `{ ${expression} }}`].join("{");
const digest = inBraces("needs.synthesize.outputs.digest");
const verification = 'echo "$DIGEST  release.tgz" | sha256sum --check --strict';

/** Runs a step of the workflow as GitHub does. */
const runStep = (script: string, cwd: string, env: Record<string, string>) =>
  spawnSync("bash", ["-e", "-c", script], { cwd, env: { ...process.env, ...env }, encoding: "utf8" });

describe("the pipeline's workflow", () => {
  test("checks pull requests, and pushes to main", () => {
    expect(workflow.on).toEqual({ pull_request: null, push: { branches: ["main"] } });
    expect(runs(check)).toEqual([".ci/run"]);
    expect(statSync(".ci/run").mode & 0o111).not.toBe(0);
    expect([check.needs, check.if]).toEqual([undefined, undefined]);
  });

  test("each night everything is checked", () => {
    const { on, jobs } = readNightly();
    expect(on).toMatchObject({ schedule: [{ cron: expect.any(String) }] });
    expect(Object.values(jobs).flatMap(runs)).toEqual([".ci/nightly"]);
    expect(statSync(".ci/nightly").mode & 0o111).not.toBe(0);
  });

  test("synthesizes a release of main after the checks, attests it, and deploys one stage after the other from it", () => {
    expect(Object.keys(deployments)).toEqual([...pipelineStages]);
    expect(synthesize).toMatchObject({
      needs: "check",
      if: "github.event_name == 'push' && github.ref == 'refs/heads/main'",
    });
    // A job whose needed job was skipped or failed is skipped.
    expect([attest.needs, deployments.sandbox?.needs, deployments.prod?.needs]).toEqual([
      "synthesize",
      ["synthesize", "attest"],
      ["synthesize", "sandbox"],
    ]);
    for (const job of [attest, ...Object.values(deployments)]) expect(job.if).toBeUndefined();
    for (const [stage, job] of Object.entries(deployments)) {
      expect(runs(synthesize)).toContain(`npm run synth -- --stage ${stage} --output assemblies/${stage}`);
      expect(job.environment).toBe(stage);
      expect(runs(job).slice(0, 3)).toEqual([
        "npm ci --ignore-scripts",
        `${verification}\ntar -xzf release.tgz\n`,
        `npm run deploy -- --stage ${stage} --yes --assembly assemblies/${stage}`,
      ]);
    }
    const smoke = (stage: string, ...options: string[]) =>
      `set -a; . .deployed/${stage}.env; set +a\n${["npm run smoke -- --stage", stage, ...options].join(" ")}\n`;
    // The role of prod cannot read records.
    expect(Object.values(deployments).map((job) => runs(job).slice(3))).toEqual([
      [smoke("sandbox")],
      [smoke("prod", "--without-data")],
    ]);
  });

  test("interrupts no deployment, and a release that waits for its approval does not delay other stages", () => {
    expect(workflow).not.toHaveProperty("concurrency");
    expect(check.concurrency).toEqual({
      group: `check-${inBraces("github.ref")}`,
      "cancel-in-progress": inBraces("github.event_name == 'pull_request'"),
    });
    for (const [stage, { concurrency }] of Object.entries(deployments)) {
      expect(concurrency).toEqual({ group: `deploy-${stage}`, "cancel-in-progress": false });
    }
  });

  test("has no stored key, and gives GitHub's identity token only to jobs that run no install script", () => {
    expect(text).not.toContain("secrets.");
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect([check.permissions, synthesize.permissions]).toEqual([undefined, undefined]);
    expect(attest.permissions).toEqual({ attestations: "write", "id-token": "write" });
    for (const { permissions, steps } of Object.values(deployments)) {
      expect(permissions).toEqual({ contents: "read", "id-token": "write" });
      const [signIn] = steps.filter(({ uses }) => uses?.startsWith("aws-actions/configure-aws-credentials@"));
      const [verified] = steps.filter(({ run }) => run?.startsWith(verification));
      expect(steps.indexOf(verified ?? {})).toBeLessThan(steps.indexOf(signIn ?? {}));
      expect(signIn?.with).toMatchObject({ "role-to-assume": inBraces("vars.AWS_ROLE") });
    }
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const installing = runs(job)
        .join("\n")
        .match(/^.*(?:\.ci\/|install|npm ci|npx|npm exec).*$/gm);
      const isTrusted = job.permissions?.["id-token"] === undefined;
      if (!isTrusted) expect(installing ?? [], name).toEqual(name === "attest" ? [] : ["npm ci --ignore-scripts"]);
    }
    expect(runs(synthesize).slice(0, 2)).toEqual(["npm ci", "node infra/local/install.mjs"]);
  });

  test("deploys only files with the digest of the job that synthesized them", () => {
    const directory = mkdtempSync(join(inject("temporaryDirectory"), "release-"));
    mkdirSync(join(directory, "assemblies/sandbox"), { recursive: true });
    writeFileSync(join(directory, "assemblies/sandbox/manifest.json"), "{}");
    const pack = synthesize.steps.find(({ id }) => id === "pack")?.run ?? "";
    const outputs = join(directory, "outputs");
    expect(runStep(pack, directory, { GITHUB_OUTPUT: outputs }).stderr).toBe("");
    const archive = readFileSync(join(directory, "release.tgz"));
    const known = createHash("sha256").update(archive).digest("hex");
    expect(readFileSync(outputs, "utf8")).toBe(`digest=${known}\n`);
    expect(synthesize.outputs).toEqual({ digest: inBraces("steps.pack.outputs.digest") });
    for (const job of [attest, ...Object.values(deployments)]) {
      const step = job.steps.find(({ run }) => run?.startsWith(verification)) ?? expect.fail();
      expect(step.env).toEqual({ DIGEST: digest });
      const verify = (content: Buffer, DIGEST: string) => {
        const at = mkdtempSync(join(directory, "job-"));
        writeFileSync(join(at, "release.tgz"), content);
        const { status } = runStep(step.run ?? "", at, { DIGEST });
        return { status, isExtracted: existsSync(join(at, "assemblies/sandbox/manifest.json")) };
      };
      expect(verify(archive, known)).toEqual({ status: 0, isExtracted: job !== attest });
      for (const [content, given] of [
        [Buffer.concat([archive, Buffer.from("x")]), known],
        [archive, known.replaceAll(/[0-7]/g, "8")],
        [archive, ""],
      ] as const)
        expect(verify(content, given)).toEqual({ status: 1, isExtracted: false });
    }
  });

  test("gives each release a bill of materials with every locked package, and attests both", () => {
    const command = runs(synthesize).find((run) => run.startsWith("npm sbom")) ?? expect.fail();
    const [program = "", file] = command.split(" > ");
    const [npm = "", ...parameters] = program.split(" ");
    const bom = JSON.parse(execFileSync(npm, parameters, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }));
    const { version, packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { type: "application", version } } });
    const listed = new Set(bom.components.map((one: { purl: string }) => decodeURIComponent(one.purl)));
    const locked = Object.entries(packages as Record<string, { name?: string; version: string }>)
      .filter(([path]) => path !== "")
      .map(([path, { name, version }]) => `pkg:npm/${name ?? path.replace(/.*node_modules\//, "")}@${version}`);
    expect(locked.length).toBeGreaterThan(500);
    expect(locked.filter((purl) => !listed.has(purl))).toEqual([]);
    expect(uses(synthesize, "actions/upload-artifact")?.with).toEqual({
      name: "release",
      path: `release.tgz\n${file}\n`,
      "if-no-files-found": "error",
    });
    expect(uses(attest, "actions/attest-build-provenance")?.with).toEqual({ "subject-path": "release.tgz" });
    expect(uses(attest, "actions/attest-sbom")?.with).toEqual({ "subject-path": "release.tgz", "sbom-path": file });
    for (const job of [attest, ...Object.values(deployments)]) {
      expect(uses(job, "actions/download-artifact")?.with).toEqual({ name: "release" });
    }
  });

  test("pins actions to commits, and calls programs that exist", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const job of Object.values(workflow.jobs)) {
      for (const { uses } of job.steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(180);
      for (const [, name = ""] of runs(job)
        .join("\n")
        .matchAll(/npm run (\S+)/g))
        expect(scripts).toHaveProperty([name]);
    }
  });
});
