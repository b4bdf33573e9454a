import { vi } from "vitest";

declare global {
  var environmentAtFirst: NodeJS.ProcessEnv | undefined;
}

/**
 * Files of tests share processes, which saves loading libraries again for each. What is the project's own each file loads
 * anew, and finds the environment as it was, so that no file notices what ran before it.
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
