import { expect, test } from "vitest";
import { readListPage } from "../../../../shared/pos/framework/pagedList.ts";

const rows = Array.from({ length: 25 }, (_, id) => ({ id }));
const request = { kind: "product", since: null, now: new Date("2026-03-10T12:00:00.000Z") } as const;

test.each([true, false])(
  "an empty page in the middle of a list does not end it (requested by rows: %s)",
  async (countsRows) => {
    let requests = 0;
    const list = {
      size: 10,
      fullEveryDays: null,
      idField: "id",
      countsRows,
      fetch: async (_: Date | null, index: number, size: number) => {
        requests++;
        const start = countsRows ? index : index * size;
        const isEmptied = requests > 1 && size > 1;
        return { rows: isEmptied ? [] : rows.slice(start, start + size), isLast: false, total: rows.length };
      },
    };
    const first = await readListPage({ ...request, position: null }, null, list);
    const { position } = first.next as { position: string };
    await expect(readListPage({ ...request, position }, null, list)).rejects.toMatchObject({
      failure: "notUnderstood",
      code: "page",
    });
  },
);
