import type { StateConnectionError } from "../../api/enumerations.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { loggedCount } from "../../platform/aws/metricSeries.ts";
import { PosError } from "../../pos/connector.ts";
import { type Table, unchanged } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { insightsDueKey } from "../../store/keys/insights.ts";
import { stateConnectionsKey } from "../../store/keys/stateSystems.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { connectionsWrite, readStateConnections, type StoredConnection } from "../../store/stateConnections.ts";
import { stateDayItem } from "../../store/stateDays.ts";
import type { Clock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { isPaused } from "../statuses/crbStatus.ts";
import { compareWithSales } from "./compareWithSales.ts";
import { linkedStates, mayRead } from "./permission.ts";
import { type LicenseReading, type ReadLicense, type ReadLicenseOptions, readLicense } from "./readLicense.ts";
import { removeStateConnections } from "./readStateConnections.ts";
import { stateKeyRejectedMetric } from "./stateKeyMetric.ts";

/** From one reading of a license to the next. Most receipts arrive at the end of the day. */
const intervalMs = 6 * 60 * 60_000;
/** From a reading that ran out of time, or failed the first time, to the next. The pause doubles with each further failure. */
const retryMs = 15 * 60_000;
/** The longest pause after failures. */
const maxRetryMs = 24 * 60 * 60_000;
/** After this time a license whose reading was interrupted is due again. */
const claimMs = 20 * 60_000;
/** Days in a transaction. */
const daysAtOnce = 50;

type Options = Omit<ReadLicenseOptions, "permit">;

/**
 * Reads the licenses of a CRB whose reading is due, one after the other, and stores their days. The connections end here if the
 * business has withdrawn its consent, or the association has ended.
 *
 * @returns the number of readings that succeeded
 * @throws OutOfTimeError at the deadline
 * @throws ServiceError "unavailable" if the table cannot be reached
 */
export async function readDueLicenses(table: Table, crbId: string, options: Options): Promise<number> {
  const { clock, deadline } = options;
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb || crb.endedAt || !mayRead(crb, "Metrc")) {
    await removeStateConnections(table, crbId, clock);
    return 0;
  }
  let read = 0;
  for (const [licenseNumber, connection] of await claim(table, crbId, clock)) {
    if (clock.now() >= deadline) throw new OutOfTimeError();
    const reading = { crbId, licenseNumber, timezone: crb.record.timezone, connection };
    // The business may have unlinked the license while the one before was read.
    const states = await linkedStates(table, crb);
    const isLinked = states.get(licenseNumber) === connection.state;
    const result = isLinked
      ? await tryToRead(table, reading, crb, options)
      : failed(connection, "license_unlinked", clock);
    if (!result) continue;
    await store(table, crb, reading, result, clock);
    if (result.connection.error === null) read++;
  }
  return read;
}

/** Moves the due times of the licenses that are due, so that no other reading begins, and returns these licenses. */
async function claim(table: Table, crbId: string, clock: Clock): Promise<[string, StoredConnection][]> {
  return retryOnConflict(clock, async () => {
    const connections = await readStateConnections(table, crbId);
    const now = clock.now().toISOString();
    const due = Object.entries(connections.licenses).filter(([, each]) => each.due <= now);
    if (due.length === 0) return [];
    const claimed = due.map(([number, each]): [string, StoredConnection] => [
      number,
      { ...each, due: later(clock, claimMs) },
    ]);
    const licenses = { ...connections.licenses, ...Object.fromEntries(claimed) };
    await table.transact([connectionsWrite(table, { ...connections, licenses })]);
    return claimed;
  });
}

/** The connection was deleted or replaced during its reading. */
class ReplacedConnectionError extends Error {
  override readonly name = "ReplacedConnectionError";
}

/** @returns undefined if the connection was deleted or replaced meanwhile */
async function tryToRead(
  table: Table,
  reading: LicenseReading,
  { record: { status } }: Crb,
  options: Options,
): Promise<ReadLicense | undefined> {
  const { connection, crbId, licenseNumber } = reading;
  const { clock } = options;
  if (isPaused(status)) return { days: [], connection: { ...connection, due: later(clock, intervalMs) } };
  const permit = async () => {
    const { licenses } = await readStateConnections(table, crbId);
    if (!isSame(licenses[licenseNumber], connection)) throw new ReplacedConnectionError();
  };
  try {
    const read = await readLicense(table, reading, { ...options, permit });
    if (typeof read === "string") return failed(connection, read, clock);
    const next = read.isWhole ? intervalMs : retryMs;
    return { ...read, connection: { ...read.connection, due: later(clock, next) } };
  } catch (error) {
    if (error instanceof ReplacedConnectionError) return undefined;
    if (!(error instanceof PosError)) throw error;
    // `MetrcApi` has this code for a state without a key of the service.
    const counted = error.code === "vendor_key" ? loggedCount(stateKeyRejectedMetric) : {};
    log.warn("state days not read", { crb_id: crbId, error: describeError(error), ...counted });
    return failed(connection, "unreachable", clock);
  }
}

/** A key that was stored again begins a new connection. */
const isSame = (stored: StoredConnection | undefined, { connectedAt }: StoredConnection): boolean =>
  stored?.connectedAt === connectedAt;

/** The connection after a reading that failed. */
function failed(connection: StoredConnection, error: StateConnectionError, clock: Clock) {
  const count = connection.failed + 1;
  const pauseMs = Math.min(maxRetryMs, retryMs * 2 ** (count - 1));
  return { days: [], connection: { ...connection, error, failed: count, due: later(clock, pauseMs) } };
}

const later = (clock: Clock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString();

/**
 * Stores the days of a reading, and then the connection, in transactions that fail if the connections were erased. So no day
 * is stored after a withdrawal or during a purge. The last transaction also records the days whose variance became known.
 */
async function store(
  table: Table,
  crb: Crb,
  { crbId, licenseNumber, connection }: LicenseReading,
  result: Pick<ReadLicense, "days" | "connection">,
  clock: Clock,
): Promise<void> {
  await retryOnConflict(clock, async () => {
    const stored = await readStateConnections(table, crbId);
    if (!isSame(stored.licenses[licenseNumber], connection)) return;
    const isThere = table.checkWrite(stateConnectionsKey(crbId), unchanged("version", stored.version));
    for (let start = 0; start < result.days.length; start += daysAtOnce) {
      const some = result.days.slice(start, start + daysAtOnce);
      await table.transact([isThere, ...some.map((day) => table.putWrite(stateDayItem(crbId, day)))]);
    }
    const changed = { ...stored, licenses: { ...stored.licenses, [licenseNumber]: result.connection } };
    if (result.days.length === 0) return table.transact([connectionsWrite(table, changed)]);
    const { events, ...compared } = await compareWithSales(table, crb, changed, clock);
    const insights = table.putWrite({ ...insightsDueKey(crbId), at: clock.now().toISOString() });
    await commitWithEvents(
      table,
      { writes: [connectionsWrite(table, { ...changed, ...compared }), insights], events },
      clock,
    );
  });
}
