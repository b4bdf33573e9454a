import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { answerOf } from "../../client/answerOf.ts";
import { type ApiClient, apiClient, everyChange, everyRecord } from "../../client/apiClient.ts";
import { createServiceProvider, operate, useDeployed } from "./operate.ts";
import type { Releases } from "./releases.ts";

const provider = "/service-providers/{sp_id}" as const;
const business = `${provider}/crbs/{crb_id}` as const;
const requirement = `${business}/onboarding-template/requirements/{requirement_id}` as const;

/** The replication status of a business: by kind, the columns shown to the operator. */
async function replication(crbId: string): Promise<Record<string, Record<string, string>>> {
  const lines = (await operate("replication", "state", crbId)).trim().split("\n");
  const [headings = [], ...rows] = lines.map((line) => line.split(/ {2,}/));
  return Object.fromEntries(
    rows.map((row) => [row[0], Object.fromEntries(headings.map((heading, i) => [heading, row[i] ?? ""]))]),
  );
}

/** Takes an empty stage to a business's records and documents, through the deployed gateway. */
export function describeMainJob(releases: () => Releases): void {
  describe("the main job", () => {
    let sp: ApiClient;
    let path: { sp_id: string; crb_id: string };

    beforeAll(async () => {
      useDeployed(releases().outputs);
      const { sp_id, credential } = await createServiceProvider();
      // The client exchanges the credential for an access token.
      sp = apiClient({ baseUrl: releases().baseUrl, credential });
      const created = await sp.POST(`${provider}/crbs`, {
        params: { path: { sp_id }, header: { "Idempotency-Key": randomUUID() } },
        body: {
          org: { name: "Blue Spruce Dispensary", state: "CO", business_type: "retail" },
          pos_info: { pos_type: "Dutchie", pos_credentials: { recApiKey: "any-key-will-do" } },
        },
      });
      path = { sp_id, crb_id: answerOf(created).id };
    }, 120_000);

    test("stores documents from a body or an upload link, and a download link returns them", async () => {
      const { standard_requirements: standard } = answerOf(
        await sp.GET(`${business}/onboarding-template`, { params: { path } }),
      );
      const at = { ...path, requirement_id: standard[0]?.requirement_id ?? expect.fail() };
      const content = Buffer.from("%PDF-1.7 a license");
      const base64 = content.toString("base64");
      const file = { file_name: "license.pdf", file_type: "application/pdf" } as const;
      const inline = answerOf(
        await sp.PUT(`${requirement}/documents`, { params: { path: at }, body: { ...file, base64 } }),
      );
      const begun = answerOf(
        await sp.POST(`${requirement}/document-uploads`, {
          params: { path: at },
          body: { ...file, size: content.length },
        }),
      );
      const headers = { "Content-Type": file.file_type, "If-None-Match": "*" };
      const sent = () => fetch(begun.upload_link, { method: "PUT", headers, body: content });
      expect((await sent()).status).toBe(200);
      expect((await sent()).status).toBe(412);
      const { document_id } = begun;
      answerOf(
        await sp.POST(`${requirement}/document-uploads/{document_id}`, { params: { path: { ...at, document_id } } }),
      );
      for (const doc_id of [inline.document_id, document_id]) {
        const params = { path: { ...path, doc_id } };
        const { download_link } = answerOf(await sp.GET(`${business}/documents/{doc_id}/download`, { params }));
        expect(await (await fetch(download_link)).text()).toBe(base64);
      }
    }, 120_000);

    test("replicates a business completely, first at its creation and then on schedule", async () => {
      const turns = new Set<string>();
      await vi.waitFor(
        async () => {
          const kinds = await replication(path.crb_id);
          turns.add(kinds.location?.begun ?? "-");
          expect(recordKinds.map((kind) => kinds[kind]?.state)).toEqual(recordKinds.map(() => "current"));
          expect(turns.difference(new Set(["-"])).size).toBeGreaterThan(1);
        },
        { timeout: 180_000, interval: 500 },
      );
    }, 200_000);

    test("returns all records in pages, and as changes", async () => {
      const query = { limit: 200 };
      const lists = {
        customers: everyRecord(sp, `${business}/customers`, { path, query }),
        inventory: everyRecord(sp, `${business}/inventory`, { path, query: { ...query, expand: true } }),
      };
      // The initial records of the simulated shop.
      const counts = { customers: 2_000, inventory: 600 };
      for (const [kind, records] of Object.entries(lists)) {
        const listed = new Set<string>();
        for await (const { id } of records) listed.add(id);
        expect(listed.size).toBe(counts[kind as keyof typeof counts]);
        const changed = new Set<string>();
        const changes = everyChange(sp, `${business}/changes/{kind}`, { ...path, kind: kind as keyof typeof lists });
        for await (const { data } of changes) for (const { id } of data) changed.add(id);
        expect(changed).toEqual(listed);
      }
    }, 120_000);
  });
}
