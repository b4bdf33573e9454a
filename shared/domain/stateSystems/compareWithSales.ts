import { ServiceError } from "../../api/errors.ts";
import { settingLimits } from "../../insights/insightCodes.ts";
import { isKnown, isVaried, nearerBasis } from "../../insights/stateCodes.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { maxEventsOfType, type NewEvent } from "../../store/eventLog/newEvent.ts";
import type { StateConnections } from "../../store/stateConnections.ts";
import { readStateDays } from "../../store/stateDays.ts";
import { addDays } from "../../time/addDays.ts";
import type { Clock } from "../../time/clock.ts";
import { localDay } from "../../time/localTime.ts";
import { readInsightSettings } from "../insights/insightSettings.ts";
import { readLinkedNumbers } from "../linkedLicenses/readLinkedNumbers.ts";
import { readHistory } from "./listStateDays.ts";
import { sumStateDays } from "./sumStateDays.ts";

/** Days that are compared: those that insights judge, and the longest history that they need before. */
const comparedDays = 90 + settingLimits.state_variance.history[1];

/** What a comparison changes in the connections of a CRB, with its events. */
interface Compared extends Pick<StateConnections, "basis" | "totals" | "reported"> {
  events: NewEvent[];
}

/**
 * Compares the stored state days of a CRB with its sales days: decides which figure counts, and finds the days whose variance
 * is not reported yet (docs/spec.md#state-days).
 */
export async function compareWithSales(
  table: Table,
  crb: Crb,
  connections: StateConnections,
  clock: Clock,
): Promise<Compared> {
  const { id: crbId, timezone } = crb.record;
  const today = localDay(clock.now(), timezone);
  const window = [addDays(today, -comparedDays), today] as const;
  const owners = { spId: crb.serviceProviderId, crbId };
  const [days, history, linked, { state_variance: settings }] = await Promise.all([
    readStateDays(table, crbId, window, { consistent: true }),
    readHistory(table, crbId, window).catch(noTotals),
    readLinkedNumbers(table, owners, clock),
    readInsightSettings(table, crb.serviceProviderId),
  ]);
  const totals = sumStateDays(days, connections, linked);
  const basis = nearerBasis(totals, history) ?? connections.basis;
  const first = addDays(today, -maxEventsOfType);
  const known = connections.reported.filter((date) => date > first);
  const compared = [...totals].flatMap(([date, total]) => {
    const figures = history.get(date)?.figures;
    return figures && basis && isKnown(history, date, basis) ? [{ date, total, figures }] : [];
  });
  const varied = compared
    .slice(settings.minimum_history)
    .filter(({ date, total, figures }) => date > first && basis !== null && isVaried(total, figures, basis, settings))
    .map(({ date }) => date)
    .filter((date) => settings.enabled && !known.includes(date));
  return {
    basis,
    totals: Object.fromEntries(totals),
    reported: [...known, ...varied].sort(),
    events: varied.map((date) => ({ type: "state_day.varied", ...owners, data: { date } })),
  };
}

/** A list of sales without totals has no sales days. */
function noTotals(error: unknown) {
  if (error instanceof ServiceError && error.kind === "unavailable") return new Map();
  throw error;
}
