import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "./apiClient.ts";
import type { components } from "./openApi.ts";
import { userAgent } from "./withRetries.ts";

type Export = components["schemas"]["Export"];
type ExportFile = components["schemas"]["ExportFile"];

/** The ids of an export. */
export interface ExportIds {
  sp_id: string;
  crb_id: string;
  export_id: string;
}

const exportPath = "/service-providers/{sp_id}/crbs/{crb_id}/exports/{export_id}";

/**
 * Waits until an export is ready.
 * @param options.onProgress called after each request, about every ten seconds
 * @throws Error if the export has failed, expired or was deleted, or if `signal` ends the wait
 */
export async function waitForExport(
  client: ApiClient,
  path: ExportIds,
  { onProgress, signal }: { onProgress?: (current: Export) => void; signal?: AbortSignal } = {},
): Promise<Export> {
  for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 10_000)) {
    const current = await client.get(exportPath, { params: { path }, ...(signal && { signal }) });
    onProgress?.(current);
    if (current.status === "ready") return current;
    const hasEnded = ["failed", "expired", "deleted"].includes(current.status);
    if (hasEnded) throw new Error(`The export is ${current.status}${current.error ? ` (${current.error})` : ""}.`);
    await sleep(waitMs, undefined, { ...(signal && { signal }) });
  }
}

/** A downloaded file: its path, and the content that its SHA-256 proved. */
export interface DownloadedFile extends ExportFile {
  path: string;
}

/**
 * Downloads the files of a ready export into a folder, and verifies each. Files that are complete are not downloaded again,
 * so repeat the call after an interruption. A file gets its name, such as `sales-1.parquet`, once it is complete.
 * @param options.timeoutMs time for one file, in milliseconds. Default: ten minutes
 * @param options.maxAttempts attempts in succession without a new file. Default: five
 * @throws Error after the last attempt; ApiError or NoResponseError if the export cannot be read
 */
export async function downloadExport(
  client: ApiClient,
  path: ExportIds,
  folder: string,
  { timeoutMs = 600_000, maxAttempts = 5 }: { timeoutMs?: number; maxAttempts?: number } = {},
): Promise<{ export: Export; files: DownloadedFile[] }> {
  await mkdir(folder, { recursive: true });
  for (let attempt = 1, missing = Number.POSITIVE_INFINITY; ; attempt++) {
    // Each request gets new links, because a link expires.
    const current = await waitForExport(client, path);
    const files = current.files.map((file) => ({ ...file, path: join(folder, nameOf(file, current.format)) }));
    const failures: string[] = [];
    for (const file of files) {
      const failure = await completeFile(client, file, timeoutMs);
      if (failure !== undefined) failures.push(`${file.kind} ${file.part}: ${failure}`);
    }
    if (failures.length === 0) return { export: current, files };
    if (failures.length < missing) attempt = 1;
    missing = failures.length;
    if (attempt >= maxAttempts) throw new Error(`The export cannot be downloaded: ${failures.join("; ")}`);
    await sleep(2 ** attempt * 250 * (1 + Math.random()));
  }
}

/** The file's name. The service cannot name a file outside the folder. */
function nameOf({ kind, part }: ExportFile, format: string): string {
  const name = `${kind}-${part}.${format === "ndjson" ? "ndjson.gz" : format}`;
  if (!/^[\w-]+-\d+\.[\w.]+$/.test(name)) throw new Error("The export has a file whose name is not valid.");
  return name;
}

/**
 * Downloads a file unless it is complete.
 * @returns why that failed, without the link, which is a secret
 */
async function completeFile(
  { baseUrl, send }: ApiClient,
  file: DownloadedFile,
  timeoutMs: number,
): Promise<string | undefined> {
  if (await isComplete(file.path, file)) return undefined;
  const draft = `${file.path}.part`;
  try {
    const link = new URL(file.download_link ?? "");
    if (link.protocol !== "https:" && link.protocol !== new URL(baseUrl).protocol) return "its link is not encrypted";
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await send(
      new Request(link, { redirect: "manual", signal, headers: { "User-Agent": userAgent } }),
    );
    if (!response.ok || !response.body) return `the store responded with ${response.status}`;
    await pipeline(response.body, limitTo(file.bytes), createWriteStream(draft));
    if (!(await isComplete(draft, file))) return "its content differs from its SHA-256";
    await rename(draft, file.path);
    return undefined;
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: string };
    return `the download failed (${typeof code === "string" ? code : name})`;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Ends a download that has more bytes than the file. */
const limitTo = (maxBytes: number) =>
  async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new RangeError();
      yield chunk;
    }
  };

async function isComplete(path: string, { bytes, sha256 }: ExportFile): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found?.size !== bytes) return false;
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex") === sha256;
}
