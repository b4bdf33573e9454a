import { vi } from "vitest";

declare global {
  var environmentAtFirst: NodeJS.ProcessEnv | undefined;
  var tableRemovals: (() => Promise<unknown>)[] | undefined;
}

/**
 * Test files share processes, which saves loading libraries again for each. Each file loads the project's own modules
 * again and finds the environment reset, so that earlier files do not affect it.
 */
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
globalThis.environmentAtFirst ??= { ...process.env };
const atFirst = globalThis.environmentAtFirst;
for (const name of Object.keys(process.env)) if (!(name in atFirst)) delete process.env[name];
Object.assign(process.env, atFirst);
vi.resetModules();
// Each call to the engine costs more with each table that it has.
globalThis.tableRemovals ??= [];
await Promise.all(globalThis.tableRemovals.splice(0).map((remove) => remove()));
