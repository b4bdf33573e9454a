import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { describe, expect, inject, test } from "vitest";
import {
  ApiClient,
  type CrbIds,
  digestOf,
  downloadExport,
  followChanges,
  type Kinds,
  listRecords,
  type VerifiableStore,
  verifyCopy,
  verifyWebhook,
  waitForExport,
} from "../../clients/typescript/index.ts";
import { useStage } from "../api/useStage.ts";
import { badHeaders, eventText, secret, signedHeaders } from "../infra/tools/webhooks/signed.ts";
import { useForwarder } from "../useForwarder.ts";

const { stage } = useStage();
const kinds = ["customers", "products", "inventory", "inventory-locations", "sales"] as const;

function clients() {
  const { base_url: baseUrl, service_provider: provider, crbs } = stage().description;
  const crb = crbs[0] ?? expect.fail("no CRB");
  const credential = { clientId: provider.client_id, clientSecret: provider.client_secret };
  return {
    provider: new ApiClient({ baseUrl, credential }),
    own: new ApiClient({ baseUrl, credential: crb.client_secret }),
    ids: { sp_id: provider.sp_id, crb_id: crb.crb_id },
  };
}

/** A copy in SQLite, as callers make it. */
function createStore() {
  const db = new DatabaseSync(":memory:");
  db.exec(`CREATE TABLE records (kind, id, record, PRIMARY KEY (kind, id));
    CREATE TABLE cursors (kind PRIMARY KEY, cursor)`);
  const store: VerifiableStore = {
    readCursor: (kind) =>
      db.prepare("SELECT cursor FROM cursors WHERE kind = ?").get(kind)?.cursor as string | undefined,
    storePage(kind, { records, cursor, reset }) {
      db.exec("BEGIN");
      if (reset) db.prepare("DELETE FROM records WHERE kind = ?").run(kind);
      const put = db.prepare("REPLACE INTO records VALUES (?, ?, ?)");
      for (const record of records) put.run(kind, record.id, JSON.stringify(record));
      db.prepare("REPLACE INTO cursors VALUES (?, ?)").run(kind, cursor);
      db.exec("COMMIT");
    },
    readRecords: (kind) =>
      db
        .prepare("SELECT record FROM records WHERE kind = ?")
        .all(kind)
        .map(({ record }) => JSON.parse(String(record))),
  };
  const ids = (kind: keyof Kinds) =>
    db
      .prepare("SELECT id FROM records WHERE kind = ? ORDER BY id")
      .all(kind)
      .map(({ id }) => id);
  return { db, store, ids };
}

describe("a copy", () => {
  test.each(["provider", "own"] as const)("of all kinds is complete, with the client of the %s", async (whose) => {
    const { [whose]: client, ids } = clients();
    const crb: CrbIds = whose === "own" ? { crb_id: ids.crb_id } : ids;
    const copy = createStore();
    for (const kind of kinds) {
      const { isComplete, copy: own, service } = await verifyCopy(client, crb, kind, copy.store);
      expect({ kind, isComplete, own }).toEqual({ kind, isComplete: true, own: service });
    }
    const path = "/service-providers/{sp_id}/crbs/{crb_id}/products";
    const listed = await Array.fromAsync(listRecords(clients().provider, path, { path: ids, query: { limit: 100 } }));
    expect(copy.ids("products")).toEqual(listed.map(({ id }) => id).sort());
    expect(await followChanges(client, crb, "products", copy.store)).toBe(0);
  });

  test("that lacks a record is not complete", async () => {
    const { provider, ids } = clients();
    const { db, store } = createStore();
    await followChanges(provider, ids, "products", store, { limit: 50 });
    db.exec("DELETE FROM records WHERE id = (SELECT min(id) FROM records)");
    const { isComplete, copy, service } = await verifyCopy(provider, ids, "products", store);
    expect([isComplete, copy.records]).toEqual([false, service.records - 1]);
    expect(copy.digest).not.toBe(service.digest);
  });

  test("continues after a crash in the middle of a transaction", async () => {
    const { provider, ids } = clients();
    const { store, ids: copied } = createStore();
    let pages = 0;
    const crashing: VerifiableStore = {
      ...store,
      storePage(kind, page) {
        if (++pages === 2) throw new Error("the disk is full");
        return store.storePage(kind, page);
      },
    };
    const crash = followChanges(provider, ids, "products", crashing, { limit: 50 });
    await expect(crash).rejects.toThrow("the disk is full");
    expect(copied("products")).toHaveLength(50);
    await followChanges(provider, ids, "products", store, { limit: 50 });
    expect((await verifyCopy(provider, ids, "products", store)).isComplete).toBe(true);
  });
});

describe("a redirect", () => {
  const requested: string[] = [];
  const redirecting = useForwarder(() => stage().description.base_url, {
    instead: ({ url = "" }, response) => {
      requested.push(url);
      return !!response.writeHead(307, { Location: "/elsewhere" }).end();
    },
  });

  test.each([
    ["the secret in a body", { clientId: "id", clientSecret: "sk_x" }, "/auth/token"],
    ["the secret in a header", "sk_x", "/crbs/x"],
  ])("gets no request with %s", async (_, credential, url) => {
    requested.length = 0;
    const client = new ApiClient({ baseUrl: redirecting.url(), credential });
    const reading = client.get("/crbs/{crb_id}", { params: { path: { crb_id: "x" } } });
    await expect(reading).rejects.toMatchObject({ status: 307, code: "invalid_response" });
    expect(requested).toEqual([url]);
  });
});

test("the digest of no records has 64 zeros", async () => {
  expect(await digestOf([])).toEqual({ records: 0, digest: "0".repeat(64) });
});

describe("an export", () => {
  const folderOf = () => mkdtempSync(join(inject("temporaryDirectory"), "export-"));
  const exportsPath = "/service-providers/{sp_id}/crbs/{crb_id}/exports";

  async function createExport(format: "ndjson" | "parquet" = "ndjson") {
    const { provider, ids } = clients();
    const body = { kinds: ["products" as const, "inventory-locations" as const], format };
    const { id } = await provider.post(exportsPath, { params: { path: ids }, body });
    return { client: provider, path: { ...ids, export_id: id } };
  }

  test("is downloaded, verified, and not downloaded again", async () => {
    const { client, path } = await createExport();
    const statuses: string[] = [];
    await waitForExport(client, path, { onProgress: ({ status }) => statuses.push(status) });
    expect(statuses.at(-1)).toBe("ready");
    const folder = join(folderOf(), "new");
    const { export: ready, files } = await downloadExport(client, path, folder);
    expect(readdirSync(folder).sort()).toEqual(["inventory-locations-1.ndjson.gz", "products-1.ndjson.gz"]);
    for (const { kind, path: file, sha256 } of files) {
      expect(createHash("sha256").update(readFileSync(file)).digest("hex")).toBe(sha256);
      const lines = gunzipSync(readFileSync(file)).toString().trim().split("\n");
      const { records, digest } = ready.manifest.find((one) => one.kind === kind) ?? expect.fail(kind);
      expect(await digestOf(lines.map((line) => JSON.parse(line)))).toEqual({ records, digest });
    }

    const [first, second] = files.map(({ path: file }) => file) as [string, string];
    const before = statSync(first, { bigint: true }).mtimeNs;
    writeFileSync(second, readFileSync(second).fill(0));
    writeFileSync(`${first}.part`, "from an interruption");
    await downloadExport(client, path, folder);
    expect(statSync(first, { bigint: true }).mtimeNs).toBe(before);
    expect(createHash("sha256").update(readFileSync(second)).digest("hex")).toBe(files[1]?.sha256);
    await client.delete(`${exportsPath}/{export_id}`, { params: { path } });
    await expect(waitForExport(client, path)).rejects.toThrow("The export is deleted.");
  });

  describe("of a hostile or faulty service", () => {
    let alter: (ready: { format: string; files: Record<string, unknown>[] }) => void = () => {};
    const altering = useForwarder(() => stage().description.base_url, {
      instead: ({ url = "", method, headers }, response) => {
        if (method !== "GET" || !/\/exports\/[\w-]+$/.test(url)) return false;
        const answer = async () => {
          const authorization = headers.authorization ?? "";
          const read = await fetch(stage().description.base_url + url, { headers: { authorization } });
          const ready = (await read.json()) as Parameters<typeof alter>[0];
          alter(ready);
          response.writeHead(read.status, { "Content-Type": "application/json" }).end(JSON.stringify(ready));
        };
        void answer();
        return true;
      },
    });

    test.each([
      ["another digest", (file: Record<string, unknown>) => (file.sha256 = "0".repeat(64)), /differs from its SHA-256/],
      ["more bytes", (file: Record<string, unknown>) => (file.bytes = 10), /the download failed/],
      ["a name outside the folder", (file: Record<string, unknown>) => (file.kind = "../../x"), /not valid/],
      ["a missing link", (file: Record<string, unknown>) => (file.download_link = null), /ERR_INVALID_URL/],
      [
        "a link to a file",
        (file: Record<string, unknown>) => (file.download_link = "file:///etc/passwd"),
        /not encrypted/,
      ],
    ])(
      "with %s leaves no file, and its error shows no link",
      async (_, change, message) => {
        const { client, path } = await createExport("parquet");
        const { service_provider } = stage().description;
        const faulty = new ApiClient({ baseUrl: altering.url(), credential: service_provider.client_secret });
        await waitForExport(client, path);
        alter = ({ files }) => files.slice(1).forEach(change);
        const folder = folderOf();
        const error = await downloadExport(faulty, path, folder, { maxAttempts: 1 }).then(
          () => expect.fail("no error"),
          (failure: Error) => failure,
        );
        expect(error.message).toMatch(message);
        expect(error.message).not.toMatch(/https?:|signature/i);
        const found = existsSync(folder) ? readdirSync(folder) : [];
        expect(found.filter((name) => !/^[\w-]+-1\.parquet$/.test(name))).toEqual([]);
        expect(found.length).toBeLessThan(2);
        await client.delete(`${exportsPath}/{export_id}`, { params: { path } });
      },
      60_000,
    );
  });
});

describe("a webhook", () => {
  test("with a valid signature returns its event, also one of an unknown type", () => {
    const text = eventText({ type: "of.the.future" });
    expect(verifyWebhook(secret, signedHeaders(text), text)).toEqual(JSON.parse(text));
    expect(verifyWebhook(secret, new Headers(signedHeaders(text)), new TextEncoder().encode(text)).type).toBe(
      "of.the.future",
    );
  });

  test.each(badHeaders)("%s is rejected, and the error shows no secret", (_, headersOf) => {
    const text = eventText();
    expect(() => verifyWebhook(secret, headersOf(text), text)).toThrow(/^(?!.*whsec_)/);
  });

  test("that is altered, or has no event, is rejected", () => {
    const text = eventText();
    expect(() => verifyWebhook(secret, signedHeaders(text), `${text} `)).toThrow("signature");
    expect(() => verifyWebhook(secret, signedHeaders("[]"), "[]")).toThrow("not an event");
  });
});
