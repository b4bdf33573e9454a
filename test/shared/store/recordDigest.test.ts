import { expect, test } from "vitest";
import { addDigests, digestRecord, emptyDigest, formatDigest } from "../../../shared/store/recordDigest.ts";
import { recordId } from "./orderedList/listUnderTest.ts";
import { expectedDigest } from "./salesDays/faultsOfTotals.ts";

test.each([0, 1, 30])("the digest of %i records is that of the specification", (count) => {
  const records = Array.from({ length: count }, (_, i) => ({
    id: recordId(i),
    svc_created_date: new Date(i).toISOString(),
    ...(i % 2 && { svc_updated_date: new Date(2 * i).toISOString() }),
  }));
  const digest = records.map(({ id, ...dates }) => digestRecord(id, dates)).reduce(addDigests, emptyDigest);
  expect(formatDigest(digest)).toBe(expectedDigest(records));
});
