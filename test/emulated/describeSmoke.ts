import { describe, expect, test } from "vitest";
import { smoke } from "../../infra/smoke/smoke.ts";
import { runHere } from "../infra/local/runHere.ts";
import { operate, useDeployed } from "./operate.ts";
import type { Releases } from "./releases.ts";

/** A stage that was just deployed, as `npm run smoke` tries it. */
export function describeSmoke(releases: () => Releases): void {
  describe("npm run smoke", () => {
    test("finds nothing but what the emulator leaves out, and leaves nothing", async () => {
      useDeployed(releases().outputs);
      const before = await operate("service-provider", "list");
      const { out, err } = await runHere(smoke, ["--stage", "sandbox", "--url", releases().baseUrl]);
      const outcomes = [...out.matchAll(/^(ok|differs|left out) +([a-z][\w ]*\w)/gm)].map(
        ([, how, name]) => `${how} ${name}`,
      );
      expect(outcomes).toEqual([
        "ok functions",
        "ok tokens",
        "ok refusals",
        "differs a page",
        "ok documents and their links",
        "ok a mail",
        "ok replication until current",
        "ok an alarm",
      ]);
      // It compresses nothing, and does not tell which calls were cold.
      expect(out).toContain("Content-Encoding for who takes gzip\n  expected  gzip\n  seen      none\n");
      expect(out).toMatch(/\d+ functions; which calls were cold is not told here/);
      expect(err).toBe("1 thing differs from the contract.\n");
      expect(await operate("service-provider", "list")).toBe(before);
      const queues = await releases().emulator.call("sqs", { Action: "ListQueues" });
      expect(queues).toContain("business-data-sandbox-background-");
      expect(queues).not.toContain("smoke");
    }, 900_000);
  });
}
