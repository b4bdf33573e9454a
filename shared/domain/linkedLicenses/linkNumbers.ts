import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { PersonName } from "../../api/schemas/person.ts";
import { unchanged } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { crbLicensesWrites } from "../../store/crbLicenses.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";
import { licensesKey } from "../../store/keys/licenses.ts";
import { readPresent } from "../licenses/presentGeneration.ts";
import type { LicenseStores } from "../licenses/searchLicenses.ts";
import { matchNumbers } from "./findLicenses.ts";
import { licenseState } from "./licenseStates.ts";
import { newLinkWrites, operator } from "./link.ts";

/** Links to store with a CRB, and the numbers that match no license. */
interface NumberLinks {
  writes: TransactWriteItem[];
  events: NewEvent[];
  unmatched: string[];
}

/**
 * Links the licenses with given numbers in the register of a new CRB's state. The transaction fails if an import has
 * ended meanwhile.
 *
 * @throws ServiceError "unavailable" if the table or the bucket cannot be reached
 */
export async function linkNumbers(
  { table, bucket }: LicenseStores,
  { record, serviceProviderId: spId, createdBy }: Crb,
  numbers: readonly string[],
  now: Date,
  person: PersonName | null = null,
): Promise<NumberLinks> {
  const present = await readPresent(table, { consistent: true });
  const { licenses, unmatched } = await matchNumbers(bucket, present, record.state, numbers, now);
  if (!present || licenses.size === 0) return { writes: [], events: [], unmatched };
  table.checkClock();
  const linkedBy = createdBy === undefined ? operator : ({ kind: "service_provider", id: createdBy, person } as const);
  const links = [...licenses].map(([licenseId, registered]) => {
    const names = { spId, crbId: record.id, licenseId };
    return newLinkWrites(table, names, registered, { linkedBy, business: record, now });
  });
  const check = table.checkWrite(licensesKey, unchanged("generation", present.generation));
  const names = { spId, crbId: record.id };
  const states = Object.fromEntries(links.map(({ link }) => [link.names.licenseId, licenseState(link, record)]));
  const lists = await crbLicensesWrites(table, names, { licenses: {}, version: undefined }, states, now);
  return {
    writes: [check, ...links.flatMap(({ writes }) => writes), ...lists],
    events: links.flatMap(({ events }) => events),
    unmatched,
  };
}
