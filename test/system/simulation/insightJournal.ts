import { isDeepStrictEqual } from "node:util";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Insight } from "../../../shared/api/schemas/insight.ts";
import type { Item } from "../../../shared/store/client.ts";
import { maxEventsOfType } from "../../../shared/store/eventLog/newEvent.ts";
import { insightsPartition } from "../../../shared/store/keys/insights.ts";
import { withRawText } from "../../../shared/store/recordText.ts";
import type { Changed, Observation } from "../realRules/observations.ts";

type Commit = Extract<Observation, { type: "committed" }>;

interface InsightEvent {
  id: string;
  type: string;
  data: { insight_id: string };
}

/** A table as its commits leave it. */
interface State {
  /** by id, with the range key */
  insights: Map<string, { sk: string; insight: Insight }>;
  /** the first judged day */
  since: string | undefined;
  eventIds: Set<string>;
  /** types of the events since the last summary, which begins a computation */
  reported: string[];
}

/**
 * Checks each commit that concerns the insights of a CRB (docs/spec.md#insights): none is deleted or stored at a second place, its
 * revision rises by one, its decisions stay, and the commit has the event of each change, once. A computation reports at most
 * 31 changes of a kind.
 */
export class InsightJournal {
  readonly faults: string[] = [];
  readonly commits: (readonly Changed[])[] = [];
  /** number of changes by the type of their event; those without one are `updated` */
  readonly counts: Record<string, number> = { updated: 0 };
  readonly #partition: string;
  readonly #waitingSuffix: string;
  readonly #tables = new Map<string, State>();

  constructor(crbId: string) {
    this.#partition = insightsPartition(crbId);
    this.#waitingSuffix = `WAITING#${crbId}`;
  }

  /** Takes the items of a restored table. */
  begin(table: string, items: readonly Item[]): void {
    const state = this.#stateOf(table);
    for (const { pk, sk, insight, since } of items) {
      if (pk !== this.#partition) continue;
      if (!insight) state.since = since as string;
      else state.insights.set(JSON.parse(insight as string).id, { sk, insight: JSON.parse(insight as string) });
    }
    this.#newEvents(state, items);
  }

  readonly observe = (observation: Observation): void => {
    if (observation.type === "committed") this.#commit(observation);
  };

  #commit({ changes }: Commit): void {
    this.commits.push(changes);
    const state = this.#stateOf(changes[0]?.table ?? "");
    const own = changes.filter(({ pk }) => pk === this.#partition);
    const deleted = own.filter(({ item }) => !item).map(({ sk }) => `${sk} is deleted`);
    const items = changes.flatMap(({ item }) => (item ? [unmarshall(withRawText(item)) as Item] : []));
    const expected = items.filter(({ pk }) => pk === this.#partition).flatMap((item) => this.#change(state, item));
    const events = this.#newEvents(state, items).map(({ type, data }) => `${type} ${data.insight_id}`);
    for (const event of events) state.reported.push(event.split(" ")[0] as string);
    const isLeftOut = (type: string | undefined) =>
      state.reported.filter((each) => each === type).length >= maxEventsOfType;
    const reported = expected.filter((event) => events.includes(event) || !isLeftOut(event.split(" ")[0]));
    const isSame = String(events.sort()) === String(reported.sort());
    this.faults.push(...deleted, ...(isSame ? [] : [`events of insights: ${events} instead of ${expected}`]));
  }

  /** @returns the event of the change */
  #change(state: State, { sk, insight: text, since }: Item): string[] {
    if (text === undefined) {
      if (state.since !== undefined && since !== state.since)
        this.faults.push(`judged from ${since}, not ${state.since}`);
      state.since = since as string;
      state.reported = [];
      return [];
    }
    const insight = JSON.parse(text as string) as Insight;
    const { id, revision, status, history } = insight;
    const stored = state.insights.get(id);
    const before = stored?.insight;
    // A response that was lost lets the sender repeat its write.
    if (isDeepStrictEqual(before, insight)) return [];
    state.insights.set(id, { sk, insight });
    if (stored && stored.sk !== sk) this.faults.push(`${id} is stored twice: at ${stored.sk} and ${sk}`);
    if (revision !== (before?.revision ?? 0) + 1) this.faults.push(`${id}: ${revision} after ${before?.revision}`);
    const decisions = before?.history ?? [];
    if (!isDeepStrictEqual(history.slice(0, decisions.length), decisions))
      this.faults.push(`${id}: a decision is lost`);
    const types = [
      ...(!before || (before.status === "withdrawn" && status !== "withdrawn") ? ["insight.raised"] : []),
      ...(before && before.status !== "withdrawn" && status === "withdrawn" ? ["insight.withdrawn"] : []),
      ...history.slice(decisions.length).map(() => "insight.decided"),
    ];
    const occurrence = (before?.occurrence ?? 0) + Number(types.includes("insight.raised"));
    if (insight.occurrence !== occurrence)
      this.faults.push(`${id}: occurrence ${insight.occurrence}, not ${occurrence}`);
    for (const type of types.length > 0 ? types : ["updated"]) this.counts[type] = (this.counts[type] ?? 0) + 1;
    return types.map((type) => `${type} ${id}`);
  }

  /** The events of insights among some items that are stored for the first time. */
  #newEvents({ eventIds }: State, items: readonly Item[]): InsightEvent[] {
    const texts = items.flatMap(({ sk, waiting, body }): string[] => {
      if (sk.endsWith(this.#waitingSuffix)) return waiting as string[];
      return /^EVENT#/.test(sk) ? [body as string] : [];
    });
    const events = texts.map((text) => JSON.parse(text) as InsightEvent).filter(({ id }) => !eventIds.has(id));
    for (const { id } of events) eventIds.add(id);
    return events.filter(({ type }) => type.startsWith("insight."));
  }

  #stateOf(table: string): State {
    const state = this.#tables.get(table) ?? {
      ...{ insights: new Map(), since: undefined, eventIds: new Set<string>(), reported: [] },
    };
    this.#tables.set(table, state);
    return state;
  }
}
