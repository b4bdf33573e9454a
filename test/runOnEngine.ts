import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEngine } from "../infra/local/engine.ts";
import { log } from "../shared/platform/aws/log.ts";

/**
 * Does the work of a program on an engine of its own, which ends with it, with keys and the names of queues; the exit
 * code says whether all was well. Nothing is logged but what is critical, and nothing measured.
 *
 * @param work is given where the engine answers; tells whether all was well
 */
export async function runOnEngine(work: (engine: { endpoint: string }) => Promise<boolean>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "engine-"));
  const engine = await startEngine();
  const end = async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void end().finally(() => process.exit(1)));
  }
  try {
    log.setLogLevel("CRITICAL");
    const keyFile = join(folder, "service.key");
    writeFileSync(keyFile, "0123456789abcdef".repeat(4), { mode: 0o600 });
    Object.assign(process.env, {
      POWERTOOLS_METRICS_DISABLED: "true",
      SERVICE_KEY_FILE: keyFile,
      ADDRESS_KEY_FILE: keyFile,
      SEALING_KEY_FILE: keyFile,
      REPLICATION_QUEUE_URL: "http://127.0.0.1/0/replication",
      WEBHOOK_QUEUE_URL: "http://127.0.0.1/0/webhooks",
    });
    process.exitCode = (await work({ endpoint: engine.endpoint })) ? 0 : 1;
  } finally {
    await end();
  }
}
