import { vi } from "vitest";

declare global {
  var environmentAtFirst: NodeJS.ProcessEnv | undefined;
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
