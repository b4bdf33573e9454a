import type { TestProject } from "vitest/node";
import { startEngine } from "../infra/local/engine.ts";

declare module "vitest" {
  interface ProvidedContext {
    engineEndpoint: string;
  }
}

/** One engine in memory for the whole run; every test file makes tables of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine();
  project.provide("engineEndpoint", engine.endpoint);
  return () => engine.stop();
}
