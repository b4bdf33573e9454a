import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEngine } from "../infra/local/engine.ts";
import { serviceBucket } from "../shared/domain/documents/bucket.ts";
import { log } from "../shared/platform/aws/log.ts";
import { startBucket } from "./startBucket.ts";

/**
 * Runs a program's work on a separate engine, with a bucket, keys and queue names, and stops the engine afterwards. The exit
 * code says whether the work succeeded. Logs only critical messages and records no metrics.
 *
 * @param work receives the engine's endpoint; returns whether it succeeded
 */
export async function runOnEngine(work: (engine: { endpoint: string }) => Promise<boolean>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "engine-"));
  const engine = await startEngine();
  const bucket = await startBucket(join(folder, "bucket"));
  const end = async () => {
    await engine.stop();
    serviceBucket().client.destroy();
    bucket.close();
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
      RETRY_QUEUE_URL: "http://127.0.0.1/0/replication",
      WEBHOOK_QUEUE_URL: "http://127.0.0.1/0/webhooks",
    });
    process.exitCode = (await work({ endpoint: engine.endpoint })) ? 0 : 1;
  } finally {
    await end();
  }
}
