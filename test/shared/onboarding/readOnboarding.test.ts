import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { documentItem } from "../../../shared/documents/storedDocument.ts";
import { newAnswersItem } from "../../../shared/onboarding/answers.ts";
import { readOnboarding } from "../../../shared/onboarding/readOnboarding.ts";
import { standardTemplate } from "../../../shared/onboarding/standardTemplate.ts";
import type { Item } from "../../../shared/table/client.ts";
import { createCrb } from "../../../shared/table/crbs.ts";
import { crbRecord } from "../../crbRecord.ts";
import { useTestTable } from "../../useTestTable.ts";

// DynamoDB may show a transaction's items one after the other (its guide, "Read-committed"); local engines never do.

const table = useTestTable();

/** A CRB with two documents, its answers at version 3: by 2 one document came, by 3 the other. */
async function given(versions: object = { version: 3, documents: 5 }) {
  const record = crbRecord(randomUUID());
  await createCrb(table(), { record, serviceProviderId: randomUUID(), connection: null });
  const { version, documents, ...answers } = newAnswersItem(record, standardTemplate, new Date());
  await table().put({ ...answers, ...versions } as Item);
  const ids = [randomUUID(), randomUUID()];
  const put = (...shown: [number, number] | [undefined, undefined]) =>
    Promise.all(
      shown.map((version, i) => {
        const file = { storage_key: "x", file_name: `${version}.pdf`, uploaded_by: "x", upload_date: "2026-03-01" };
        const { version: shownVersion, ...item } = documentItem({
          record: { id: ids[i] ?? "", org_id: record.id, ...file, deleted: false },
          requirementId: randomUUID(),
          review: { status: "pending" },
          rank: `2026-03-01#0000000${i}`,
          version: version ?? 0,
        });
        return table().put({ ...item, ...(version !== undefined && { version }) } as Item);
      }),
    );
  const names = async () => (await readOnboarding(table(), record.id))?.documents.map(({ record }) => record.file_name);
  return { put, names };
}

test.each<[string, [number, number]]>([
  ["a document that is older than the answers", [0, 3]],
  ["one that is newer", [4, 3]],
  ["one that is older beside one that is newer by as much", [1, 4]],
])("%s is not taken for theirs: it is read again", async (_, shown) => {
  const { put, names } = await given();
  await put(...shown);
  const reading = names();
  setTimeout(() => put(2, 3), 150);
  expect(await reading).toEqual(["3.pdf", "2.pdf"]);
});

test("answers and documents of before these versions go together", async () => {
  const { put, names } = await given({ version: 7 });
  await put(undefined, undefined);
  expect(await names()).toHaveLength(2);
});
