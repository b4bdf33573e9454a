import { expect, test } from "vitest";
import { document } from "../../../shared/api/schemas/document.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenOnboarding } from "../onboarding/givenOnboarding.ts";

const table = useTestTable();
useTestBucket();

async function given() {
  const onboarding = await givenOnboarding(table());
  const { secret: authorization } = await onboarding.ofCrb();
  return {
    ...onboarding,
    list: (query = {}) => onboarding.call("listDocuments", { query, authorization }),
    get: (doc_id: string) => onboarding.call("getDocument", { path: { doc_id }, authorization }),
    download: (doc_id: string) => onboarding.call("getCrbDocumentDownload", { path: { doc_id } }),
  };
}

test("documents are listed newest first and page by page, and deleted ones keep their place", async () => {
  const crb = await given();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await crb.add()).json.document_id);
  await crb.remove(ids[1] ?? "");
  const { json } = await crb.list();
  expect(json.metadata).toEqual({ total: 5, count: "1 - 5" });
  expect(json.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(json.data.map(({ deleted }: { deleted: boolean }) => deleted)).toEqual([false, true, false, false, false]);
  const dates = json.data.map(({ upload_date }: { upload_date: string }) => upload_date);
  expect(dates).toEqual([...dates].sort().reverse());
  for (const each of json.data) expect(document.parse(each)).toEqual(each);
  const page = await crb.list({ limit: 2, offset: 2 });
  expect(page.json).toEqual({ metadata: { total: 5, count: "3 - 4" }, data: json.data.slice(2, 4) });
});

test("a document can be read by its id even after its deletion, but then has no download link", async () => {
  const crb = await given();
  const { document_id } = (await crb.add()).json;
  const { status, json } = await crb.get(document_id);
  expect([status, json]).toEqual([200, (await crb.list()).json.data[0]]);
  expect((await crb.download(document_id)).status).toBe(200);
  await crb.remove(document_id);
  expect((await crb.get(document_id)).json).toEqual({ ...json, deleted: true });
  expect((await crb.download(document_id)).status).toBe(404);
});
