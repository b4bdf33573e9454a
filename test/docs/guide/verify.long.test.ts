import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { eraseCustomer } from "../../../shared/domain/replication/eraseCustomer.ts";
import { useForwarder } from "../../useForwarder.ts";
import { kinds, useCopyPrograms } from "./useCopyPrograms.ts";

const { stage, folder, caller, need, run } = useCopyPrograms("verify-");

/** Changes the list after the service has read its digest, and before the program receives the digest. */
let change: (() => Promise<void>) | undefined;
afterEach(() => {
  change = undefined;
});
const changing = useForwarder(() => stage().description.base_url, {
  instead: ({ url = "", headers }, response) => {
    if (!change || !url.endsWith("/replications")) return false;
    const { authorization = "" } = headers;
    const answer = async () => {
      const read = await fetch(stage().description.base_url + url, { headers: { authorization } });
      const text = await read.text();
      await change?.();
      response.writeHead(read.status).end(text);
    };
    void answer();
    return true;
  },
});

describe.each([
  { language: "TypeScript", program: process.execPath, file: "verify.mts", database: "copy-ts.db", erasedFrom: 0 },
  { language: "Python", program: "python3", file: "verify.py", database: "copy-python.db", erasedFrom: 20 },
])("the $language program that verifies a copy", ({ program, file, database, erasedFrom }) => {
  /** Runs the program once. @returns its exit code, the kinds that it verified, and its errors */
  async function verify() {
    const running = run(program, file, { BASE_URL: changing.url() });
    const { code = 0, stdout, stderr } = await running.catch((error) => error);
    const verified = [...String(stdout).matchAll(/^([\w-]+): \d+ records verified$/gm)].map(([, kind]) => kind);
    return { code, verified, errors: String(stderr).trim() };
  }

  function changeCopy(sql: string, ...values: string[]): void {
    const db = new DatabaseSync(join(folder, database));
    expect(db.prepare(sql).run(...values).changes).not.toBe(0);
    db.close();
  }

  /** Deletes the copy of a kind, so that the next run copies it again. */
  function repair(kind: string): void {
    changeCopy("DELETE FROM cursors WHERE kind = ?", kind);
    changeCopy("DELETE FROM records WHERE kind = ?", kind);
  }

  async function replicationOf(kind: string): Promise<{ records: number; digest: string }> {
    const { BASE_URL, SP_ID, CRB_ID, CLIENT_SECRET = "" } = caller();
    const url = `${BASE_URL}/service-providers/${SP_ID}/crbs/${CRB_ID}/replications`;
    const response = await fetch(url, { headers: { Authorization: CLIENT_SECRET } });
    const { data } = (await response.json()) as { data: { kind: string; records: number; digest: string }[] };
    return data.find((one) => one.kind === kind) ?? expect.fail(`no replication of ${kind}`);
  }

  const copied = "SELECT id FROM records WHERE kind = ? ORDER BY id LIMIT 1";

  test("finds a whole copy equal, and names a kind with a missing or outdated record", async (context) => {
    need(program, context);
    expect(await verify()).toEqual({ code: 0, verified: kinds, errors: "" });

    for (const kind of kinds) {
      changeCopy(`DELETE FROM records WHERE kind = ? AND id = (${copied})`, kind, kind);
      const { records, digest } = await replicationOf(kind);
      const { code, verified, errors } = await verify();
      expect([code, verified]).toEqual([1, kinds.filter((one) => one !== kind)]);
      const found = `${kind}: the copy has ${records - 1} records with digest `;
      expect(errors.slice(0, found.length)).toBe(found);
      expect(errors.slice(found.length)).toMatch(/^[0-9a-f]{64}, the service has \d+ with digest [0-9a-f]{64}$/);
      expect(errors.endsWith(`, the service has ${records} with digest ${digest}`)).toBe(true);
      repair(kind);
    }

    const outdated = "json_set(record, '$.svc_updated_date', '2026-01-01T00:00:00.000Z')";
    changeCopy(`UPDATE records SET record = ${outdated} WHERE kind = ? AND id = (${copied})`, "products", "products");
    const { records } = await replicationOf("products");
    const { code, errors } = await verify();
    expect([code, errors]).toEqual([1, expect.stringContaining(`products: the copy has ${records} records with`)]);
    repair("products");
    expect(await verify()).toEqual({ code: 0, verified: kinds, errors: "" });
  });

  describe("while the list changes", () => {
    let erased = 0;

    /** Erases one more customer, which changes the customer's record. */
    async function eraseNext(): Promise<void> {
      const { CRB_ID = "" } = caller();
      const db = new DatabaseSync(join(folder, database), { readOnly: true });
      const ids = db.prepare("SELECT id FROM records WHERE kind = 'customers' ORDER BY id").all();
      db.close();
      const id = ids[erasedFrom + erased++]?.id;
      await eraseCustomer(stage().table, CRB_ID, String(id));
    }

    test("compares only after a moment without changes", async (context) => {
      need(program, context);
      change = async () => {
        change = undefined;
        await eraseNext();
      };
      expect(await verify()).toEqual({ code: 0, verified: kinds, errors: "" });
      expect(change).toBeUndefined();
    });

    test("gives up if no such moment comes", async (context) => {
      need(program, context);
      change = async () => {
        await eraseNext();
        if (erased > 10) change = undefined;
      };
      const { code, verified, errors } = await verify();
      expect([code, verified]).toEqual([1, kinds.filter((kind) => kind !== "customers")]);
      expect(errors).toBe("customers: the list changed during every attempt; verify it later");
    });
  });
});
