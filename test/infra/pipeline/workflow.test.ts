import { readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { pipelineStages } from "../../../infra/pipeline/pipelineStages.ts";

interface Job {
  concurrency: object;
  needs?: string;
  if?: string;
  environment?: string;
  permissions?: Record<string, string>;
  "timeout-minutes": number;
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

const readNightly = (): { on: object; jobs: Record<string, Job> } =>
  parse(readFileSync(".github/workflows/nightly.yml", "utf8"));
const text = readFileSync(".github/workflows/pipeline.yml", "utf8");
const workflow: { on: object; permissions: object; jobs: Record<string, Job> } = parse(text);
const { check, ...deployments } = workflow.jobs;
const runs = ({ steps }: Job) => steps.flatMap(({ run = [] }) => run);

describe("the pipeline's workflow", () => {
  test("checks pull requests, and pushes to main", () => {
    expect(workflow.on).toEqual({ pull_request: null, push: { branches: ["main"] } });
    expect(check && runs(check)).toEqual([".ci/run"]);
    expect(statSync(".ci/run").mode & 0o111).not.toBe(0);
    expect([check?.needs, check?.if]).toEqual([undefined, undefined]);
  });

  test("each night everything is checked", () => {
    const { on, jobs } = readNightly();
    expect(on).toMatchObject({ schedule: [{ cron: expect.any(String) }] });
    expect(Object.values(jobs).flatMap(runs)).toEqual([".ci/nightly"]);
    expect(statSync(".ci/nightly").mode & 0o111).not.toBe(0);
  });

  test("deploys one stage after the other only from main, each in its environment, and tests each before the next", () => {
    expect(Object.keys(deployments)).toEqual([...pipelineStages]);
    const onMain = "github.event_name == 'push' && github.ref == 'refs/heads/main'";
    for (const [stage, job] of Object.entries(deployments)) {
      expect(job).toMatchObject({ environment: stage, if: onMain });
      expect(runs(job).slice(0, 2)).toEqual([
        "node infra/local/install.mjs",
        `npm run deploy -- --stage ${stage} --yes`,
      ]);
    }
    expect([deployments.sandbox?.needs, deployments.prod?.needs]).toEqual(["check", "sandbox"]);
    const smoke = (stage: string, ...options: string[]) =>
      `set -a; . .deployed/${stage}.env; set +a\n${["npm run smoke -- --stage", stage, ...options].join(" ")}\n`;
    // The role of prod cannot read records.
    expect(Object.values(deployments).map((job) => runs(job).slice(2))).toEqual([
      [smoke("sandbox")],
      [smoke("prod", "--without-data")],
    ]);
  });

  test("interrupts no deployment, and a release that waits for its approval does not delay other stages", () => {
    expect(workflow).not.toHaveProperty("concurrency");
    expect(check?.concurrency).toEqual({
      group: "check-$" + "{{ github.ref }}",
      "cancel-in-progress": "$" + "{{ github.event_name == 'pull_request' }}",
    });
    for (const [stage, { concurrency }] of Object.entries(deployments)) {
      expect(concurrency).toEqual({ group: `deploy-${stage}`, "cancel-in-progress": false });
    }
  });

  test("has no stored key, only GitHub's identity token in the jobs that deploy", () => {
    expect(text).not.toContain("secrets.");
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(check?.permissions).toBeUndefined();
    for (const { permissions, steps } of Object.values(deployments)) {
      expect(permissions).toEqual({ contents: "read", "id-token": "write" });
      const [signIn] = steps.filter(({ uses }) => uses?.startsWith("aws-actions/configure-aws-credentials@"));
      const [installation] = steps.filter(({ run }) => run === "node infra/local/install.mjs");
      expect(steps.indexOf(installation ?? {})).toBeLessThan(steps.indexOf(signIn ?? {}));
      expect(signIn?.with).toMatchObject({ "role-to-assume": "$" + "{{ vars.AWS_ROLE }}" });
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
