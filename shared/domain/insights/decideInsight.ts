import type * as z from "zod";
import { conflict, notFound } from "../../api/errors.ts";
import type { Insight, insightDecision } from "../../api/schemas/insight.ts";
import type { PersonName } from "../../api/schemas/person.ts";
import { toPerson } from "../../api/schemas/person.ts";
import { exists, type Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { listedInsightKey, listedPlace } from "../../store/keys/insights.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { insightWrites, type StoredInsight, toStoredInsight } from "./storedInsight.ts";

/** Maximum number of decisions on an insight (docs/spec.md#limits). */
const maxDecisions = 50;

/**
 * Stores a decision on an insight, with its event. A repeated call changes nothing.
 *
 * @param by the credential that decides, and the person who uses it
 * @throws ServiceError "notFound" if the service provider has no such insight; "conflict" if the insight has changed since it was
 *   read, is withdrawn, or has the maximum number of decisions
 */
export async function decideInsight(
  table: Table,
  { sp_id: spId, insight_id: id }: { sp_id: string; insight_id: string },
  { status, note, revision }: z.output<typeof insightDecision>,
  by: { clientId: string; person?: PersonName | undefined },
  clock: Clock = systemClock,
): Promise<Insight> {
  return retryOnConflict(clock, async () => {
    const found = await findInsight(table, spId, id);
    if (!found) throw notFound("insight");
    const { key, insight } = found;
    const crbId = insight.crb_id;
    const last = insight.history.at(-1);
    const isBySame = last?.decided_by === by.clientId && last.decided_by_person?.sub === by.person?.sub;
    const isRepeated = isBySame && last.status === status && last.note === note;
    if (isRepeated && insight.revision === revision + 1) return insight;
    if (insight.status === "withdrawn") {
      throw conflict("insight_withdrawn", "The insight does not hold any more, so it takes no decision.");
    }
    if (insight.revision !== revision) {
      const message = "The insight has changed since you read it. Read it again, then decide.";
      throw conflict("insight_changed", message, { revision: insight.revision });
    }
    if (insight.history.length >= maxDecisions) {
      throw conflict("insight_limit", `An insight can have ${maxDecisions} decisions.`);
    }
    const { code, occurrence, history } = insight;
    const decided_by_person = toPerson(by.person);
    const decision = {
      date: clock.now().toISOString(),
      status,
      note,
      decided_by: by.clientId,
      decided_by_person,
      occurrence,
    };
    const decided = { ...insight, status, revision: revision + 1, history: [...history, decision] };
    const event = { type: "insight.decided", spId, crbId, data: { insight_id: id, code, status } } as const;
    // The end of the association takes the insights off the list.
    const isAssociated = table.checkWrite(associationKey(spId, crbId), exists);
    const writes = [isAssociated, ...insightWrites(table, spId, { key, insight: decided }, revision)];
    await commitWithEvents(table, { writes, events: [event] }, clock).catch((error) => {
      throw isUnmet(error, 0) ? notFound("insight") : error;
    });
    return decided;
  });
}

async function findInsight(table: Table, spId: string, id: string): Promise<StoredInsight | undefined> {
  const listed = await table.get(listedInsightKey(spId, id), { consistent: true });
  if (!listed) return undefined;
  const item = await table.get(listedPlace(listed.crb_id as string, listed.at as string), { consistent: true });
  return item && toStoredInsight(item);
}
