import { createHash, randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { createCrb, hasSandbox, until } from "../business.ts";
import type { Check } from "../trial.ts";

/** Exports the records of a business, downloads the files by their links, and deletes the export. */
export const exports: Check = {
  name: "export to files",
  page: "docs/guide/load-a-warehouse.md",
  skipReason: (tried) => (hasSandbox(tried) ? undefined : "it needs a simulated POS, and this stage has real ones"),
  async run(trial) {
    const { api } = trial.tried;
    const crb = await createCrb(trial.tried, { connected: true });
    const locations = async () =>
      (await api.answer("GET", `${crb}/inventory-locations?limit=1`)).metadata.total as number;
    await until(trial.tried, 300, locations, (total) => total > 0);
    const created = await api.answer("POST", `${crb}/exports`, {
      headers: { "Idempotency-Key": randomUUID() },
      body: { kinds: ["inventory-locations"], format: "ndjson" },
    });
    trial.equal("status of a new export", "queued", created.status);
    const path = `${crb}/exports/${created.id}`;
    const read = () => api.answer("GET", path);
    const ready = await until(trial.tried, 300, read, ({ status }) => status !== "queued" && status !== "running");
    trial.equal("status after five minutes", "ready", ready.status);
    const [file] = ready.files;
    const content = Buffer.from(await (await fetch(file.download_link)).arrayBuffer());
    trial.equal("sha256 of the file", file.sha256, createHash("sha256").update(content).digest("hex"));
    const lines = gunzipSync(content).toString().trim().split("\n");
    trial.equal("records in the file", ready.manifest[0].records, lines.length);
    const ended = await api.answer("DELETE", path);
    trial.equal("status after deleteExport", "deleted", ended.status);
    const { status } = await fetch(file.download_link);
    trial.holds("the link of a deleted export", "403 or 404", status === 403 || status === 404, status);
  },
};
