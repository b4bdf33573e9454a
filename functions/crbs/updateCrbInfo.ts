import { isDeepStrictEqual } from "node:util";
import { notFound } from "../../shared/api/errors.ts";
import { updateCrbInfo } from "../../shared/api/operations/crbs.ts";
import type { Crb } from "../../shared/api/schemas/crb.ts";
import { readLicenseStates } from "../../shared/domain/linkedLicenses/licenseStates.ts";
import { restartWrites } from "../../shared/domain/replication/restartWrites.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import type { Crb as StoredCrb } from "../../shared/store/crb.ts";
import { changeCrb } from "../../shared/store/crbs.ts";
import { withChanges } from "../../shared/store/fieldChanges.ts";
import { systemClock } from "../../shared/time/clock.ts";

const fieldOf = (record: Crb, field: string) => record[field as keyof Crb];

export const handler = endpoint(updateCrbInfo, async ({ path, body, principal }) => {
  const table = serviceTable();
  let answer: Crb | undefined;
  const change = (crb: StoredCrb) => {
    const record = { ...crb.record, ...body };
    answer = record;
    const changed = Object.keys(body).filter(
      (field) => !isDeepStrictEqual(fieldOf(record, field), fieldOf(crb.record, field)),
    );
    if (changed.length === 0) return undefined;
    return { ...crb, record, changes: withChanges(crb.changes ?? {}, changed, principal, table.clock.now()) };
  };
  // Records contain local times. A change of the time zone therefore restarts replication from the beginning, even
  // during a run.
  const readAgain = async (before: StoredCrb, after: StoredCrb) =>
    before.connection && before.record.timezone !== after.record.timezone
      ? restartWrites(table, path.crb_id, { isFullRead: true })
      : [];
  const compareHolders = (after: Crb) => readLicenseStates(table, { spId: path.sp_id, crbId: path.crb_id }, after);
  await changeCrb(table, path.crb_id, change, systemClock, { along: readAgain, compareHolders });
  if (!answer) throw notFound("CRB");
  return json(answer);
});
