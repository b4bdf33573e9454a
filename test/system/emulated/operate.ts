import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, vi } from "vitest";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { deployedEnvironment } from "../../../infra/stages/outputs.ts";
import { operator } from "../../../infra/tools/operator/operator.ts";
import { runHere } from "../../infra/local/runHere.ts";
import { region } from "../deployed/template.ts";

/** Gives this process the environment that a deployment leaves. */
export function useDeployed(outputs: Record<string, string>): void {
  const variables = deployedEnvironment("sandbox", region, { all: outputs });
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** The operator's program, in that environment; gives what it prints. */
export async function operate(...parameters: string[]): Promise<string> {
  const { code, out, err } = await runHere(operator, [...parameters, "--stage", "sandbox"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

/** A service provider that the operator's program makes, and its credential. */
export async function createServiceProvider() {
  const file = join(inject("temporaryDirectory"), "provider.json");
  writeFileSync(file, JSON.stringify({ ...demoServiceProvider, id: undefined }));
  const sp_id = shown(await operate("service-provider", "create", file), "sp_id");
  const issued = await operate("credential", "issue", sp_id);
  return { sp_id, credential: { clientId: shown(issued, "client_id"), clientSecret: shown(issued, "client_secret") } };
}

/** The value of a name in what a program printed. */
const shown = (out: string, name: string): string => new RegExp(`${name} +(\\S+)`).exec(out)?.[1] ?? expect.fail(out);
