import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, vi } from "vitest";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { deployedEnvironment } from "../../../infra/stages/outputs.ts";
import { operator } from "../../../infra/tools/operator/operator.ts";
import { runHere } from "../../infra/local/runHere.ts";
import { region } from "../deployed/template.ts";

/** Sets this process's environment from the outputs of a deployment. */
export function useDeployed(outputs: Record<string, string>): void {
  const variables = deployedEnvironment("sandbox", region, { all: outputs });
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** Runs the operator's program in that environment; returns its output. */
export async function operate(...parameters: string[]): Promise<string> {
  const { code, out, err } = await runHere(operator, [...parameters, "--stage", "sandbox"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

/** Makes a service provider with the operator's program; returns it with its credential. */
export async function createServiceProvider() {
  const file = join(inject("temporaryDirectory"), "provider.json");
  writeFileSync(file, JSON.stringify({ ...demoServiceProvider, id: undefined }));
  const sp_id = shown(await operate("service-provider", "create", file), "sp_id");
  const issued = await operate("credential", "issue", sp_id);
  return { sp_id, credential: { clientId: shown(issued, "client_id"), clientSecret: shown(issued, "client_secret") } };
}

/** The value of a name in a program's output. */
const shown = (out: string, name: string): string => new RegExp(`${name} +(\\S+)`).exec(out)?.[1] ?? expect.fail(out);
