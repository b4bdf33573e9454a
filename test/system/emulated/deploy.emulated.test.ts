import { afterAll, beforeAll, vi } from "vitest";
import { describeAlarms } from "./describeAlarms.ts";
import { describeFirstDeployment } from "./describeFirstDeployment.ts";
import { describeGatewayErrors } from "./describeGatewayErrors.ts";
import { describeMainJob } from "./describeMainJob.ts";
import { describeReleases } from "./describeReleases.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { Releases } from "./releases.ts";

// Each test continues with the stage that the previous one left.

let emulator: Emulator;
let releases: Releases;

beforeAll(async () => {
  emulator = await startEmulator();
  for (const [name, value] of Object.entries(emulator.environment)) vi.stubEnv(name, value);
  releases = new Releases(emulator);
  await releases.bundle();
  await releases.bootstrap();
}, 600_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator?.stop();
});

describeFirstDeployment(() => releases);
describeMainJob(() => releases);
describeAlarms(() => releases);
describeReleases(() => releases);
describeGatewayErrors(() => releases);
