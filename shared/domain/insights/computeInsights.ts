import type { Insight } from "../../api/schemas/insight.ts";
import type { License } from "../../api/schemas/license.ts";
import { comparedDays, findInsights, type InsightInput, longestPeriod } from "../../insights/findInsights.ts";
import { type DayProfile, daysBetween, type InsightDay } from "../../insights/history.ts";
import type { InsightCode, InsightSettings } from "../../insights/insightCodes.ts";
import { haveKnownStatus, type InsightLicense } from "../../insights/licenseCodes.ts";
import { monthTotal } from "../../insights/periodCodes.ts";
import { type InsightSale, profileDay } from "../../insights/saleCodes.ts";
import type { StateFigures } from "../../insights/stateCodes.ts";
import { saleRules } from "../../saleChecks/saleRules.ts";
import { exists, itemId, type Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { damagedText } from "../../store/damagedRecords.ts";
import { readDepositCases } from "../../store/depositCases.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { maxEventsOfType } from "../../store/eventLog/newEvent.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import { insightSummaryKey, insightsPartition } from "../../store/keys/insights.ts";
import { recordList, salesTotalsPartition } from "../../store/keys/orderedLists.ts";
import { addDigests, digestRecord, emptyDigest, formatDigest, type RecordDates } from "../../store/recordDigest.ts";
import { retryOnConflict, StaleReadError } from "../../store/retryOnConflict.ts";
import { readSalesOfDay } from "../../store/sales.ts";
import { readSalesWeeks, type SalesDayTotals } from "../../store/salesDays/salesWeek.ts";
import { readStateConnections } from "../../store/stateConnections.ts";
import { compareHolder } from "../../text/compareHolder.ts";
import { addDays } from "../../time/addDays.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { localDay } from "../../time/localTime.ts";
import { readComparedDays } from "../licenses/presentGeneration.ts";
import type { Link } from "../linkedLicenses/link.ts";
import { endOn, licenseDay, statusOn } from "../linkedLicenses/linkStatus.ts";
import { haveAllSales, readLinkedNumbers } from "../linkedLicenses/readLinkedNumbers.ts";
import { readLinks } from "../linkedLicenses/readLinks.ts";
import { type DaySummary, type SummarizedDay, shortDigest, storeDaySummary, toDaySummary } from "./daySummary.ts";
import { readInsightSettings } from "./insightSettings.ts";
import { exchangeMonthTotals, peerGroup } from "./peers.ts";
import {
  applyFinding,
  type InsightChange,
  insightId,
  insightWrites,
  type StoredInsight,
  toStoredInsight,
  withdraw,
} from "./storedInsight.ts";

/** Days that are judged: the newest complete ones (docs/spec.md#insights). */
const judgedDays = 90;
/** Days that are judged at the first computation for a CRB. */
const firstJudgedDays = 31;
/** Days before the judged ones whose sales are summarized: eight weeks before the week of the first judged day. */
const summarizedBefore = 63;
/** Changes in a transaction. Each takes two writes. */
const maxChanges = 25;

/** What a computation changed. */
export interface ComputedInsights {
  raised: number;
  withdrawn: number;
  updated: number;
}

export interface ComputeOptions {
  clock?: Clock;
  /** after this time no further day is read, and no further transaction begins */
  deadline?: Date;
  /** the settings of service providers that a sweep has read; a computation adds its own */
  settings?: Map<string, InsightSettings>;
}

/**
 * Computes the insights of a CRB from its complete sales days, and stores what has changed, each change in one transaction with
 * its event. The result depends only on the stored sales, so it can be repeated at any time and be interrupted anywhere. Reads 8 units,
 * half of them the weeks of totals, 0.5 more for the settings of the first business of a service provider, and 1.5 more for a business
 * with many insights. Connections to a state system take another one. Reads the sales of each day that is new or has changed once.
 *
 * @returns undefined if the CRB has no complete day, or is not associated any more
 * @throws OutOfTimeError after the deadline; the next call continues
 * @throws ServiceError "unavailable" if the table cannot be reached
 */
export async function computeInsights(
  table: Table,
  crbId: string,
  { clock = systemClock, deadline, settings = new Map() }: ComputeOptions = {},
): Promise<ComputedInsights | undefined> {
  return retryOnConflict(clock, async () => {
    const items = await table.batchGet([crbKey(crbId), insightSummaryKey(crbId)]);
    const crbItem = items.get(itemId(crbKey(crbId)));
    const summaryItem = items.get(itemId(insightSummaryKey(crbId)));
    const crb = crbItem && toCrb(crbItem);
    if (!crb || crb.endedAt) return undefined;
    const computation = new Computation(table, crb, { clock, deadline, settings });
    return computation.run(summaryItem && toDaySummary(summaryItem));
  });
}

class Computation {
  readonly #table: Table;
  readonly #crb: Crb;
  readonly #crbId: string;
  readonly #clock: Clock;
  readonly #deadline: Date | undefined;
  readonly #settings: Map<string, InsightSettings>;

  constructor(
    table: Table,
    crb: Crb,
    { clock, deadline, settings }: { clock: Clock; deadline: Date | undefined; settings: Map<string, InsightSettings> },
  ) {
    this.#table = table;
    this.#crb = crb;
    this.#crbId = crb.record.id;
    this.#clock = clock;
    this.#deadline = deadline;
    this.#settings = settings;
  }

  async run(stored: DaySummary | undefined): Promise<ComputedInsights | undefined> {
    // After a pause of the replication, the newest complete day is long ago. An interrupted computation may have kept no day.
    const newest = [...(stored?.days.keys() ?? [])].sort().at(-1);
    const today = localDay(this.#clock.now(), this.#crb.record.timezone);
    const from = addDays(newest ?? today, -judgedDays - comparedDays - 1);
    // A read that lags could lack any day that has changed, and the change would stay unknown.
    const weeks = await readSalesWeeks(this.#table, salesTotalsPartition(this.#crbId), { from });
    const totals = new Map(weeks.flatMap(({ days }) => [...days]));
    const complete = [...totals].flatMap(([day, { completedAt }]) => (completedAt === null ? [] : [day])).sort();
    const until = complete.at(-1);
    if (until === undefined) return undefined;
    const settings = await this.#readSettings(this.#crb.serviceProviderId);
    const since = stored?.since ?? addDays(until, 1 - firstJudgedDays);
    const first = [since, addDays(until, 1 - judgedDays)].sort()[1] as string;
    const insights = await this.#readInsights(first);
    const isDecided = (saleId: string, date: string) => {
      const id = insightId(this.#crbId, { code: "flagged_sale", start_date: date, subject: saleId });
      return (insights.get(id)?.insight.history.length ?? 0) > 0;
    };
    const summary = await this.#summarize(stored, { since, first, until }, totals, { settings, isDecided });
    const history = toHistory(totals, summary, until);
    const window = [first, until] as const;
    const { peers, input } = await this.#readPeers(history, until);
    const state = await this.#readState();
    const licenses = await this.#readLicenses();
    const findings = findInsights({
      history,
      window,
      settings,
      licenses,
      deposits: await readDepositCases(this.#table, this.#crbId),
      state,
      statedMonth: toCents(this.#crb.record.monthlySales),
      peers: input,
      isDecided,
    });
    // The last day of a pause depends on the settings, and may be another one now.
    const judgedDay = ({ code, start_date, end_date }: Insight) => (code === "no_sales" ? start_date : end_date);
    const isJudged = ({ insight }: StoredInsight): boolean =>
      settings[insight.code as InsightCode].enabled &&
      (insight.inputs.license_id !== null || (judgedDay(insight) >= first && history.has(insight.end_date))) &&
      (insight.code !== "peer_outlier" || insight.end_date.slice(0, 7) === peers) &&
      // After a license was unlinked or has left the register, the insight stays as it was found.
      (insight.code !== "sales_without_active_license" || haveKnownStatus(licenses)) &&
      // Without the state's totals of the day, such as after a withdrawal of consent, the variance stays as it was found.
      (insight.code !== "state_variance" || state.totals.has(insight.end_date));
    const digestOf = (start: string, end: string) =>
      formatDigest(
        daysBetween(start, end).reduce(
          (sum, day) => addDigests(sum, totals.get(day)?.digest ?? emptyDigest),
          emptyDigest,
        ),
      );
    const now = this.#clock.now().toISOString();
    const found = new Map(findings.map((finding) => [insightId(this.#crbId, finding), finding]));
    const changes = [
      ...[...found].map(([id, finding]) => applyFinding(this.#crbId, finding, insights.get(id), { now, digestOf })),
      ...[...insights].map(([id, each]) =>
        found.has(id) || each.insight.status === "withdrawn" || !isJudged(each) ? undefined : withdraw(each, now),
      ),
    ].filter((change) => change !== undefined);
    await this.#store(changes);
    const count = (kind: InsightChange["kind"]) => changes.filter((change) => change.kind === kind).length;
    return { raised: count("raised"), withdrawn: count("withdrawn"), updated: count("updated") };
  }

  /**
   * Reads the sales of the days that are new or have changed, and stores the summary. At the deadline, the days that were read stay
   * in the summary.
   */
  async #summarize(
    stored: DaySummary | undefined,
    { since, first, until }: { since: string; first: string; until: string },
    totals: ReadonlyMap<string, SalesDayTotals>,
    input: Pick<InsightInput, "settings" | "isDecided">,
  ): Promise<DaySummary> {
    const days = new Map<string, SummarizedDay>();
    const dirty: [string, string][] = [];
    for (const day of daysBetween(addDays(first, -summarizedBefore), until)) {
      const { completedAt = null, figures, digest } = totals.get(day) ?? {};
      if (completedAt === null || !digest) continue;
      const known = stored?.days.get(day);
      const current = shortDigest(formatDigest(digest));
      if (known?.digest === current) days.set(day, known);
      else if (!figures?.records) days.set(day, { digest: current, profile: this.#profile([], day, input) });
      else dirty.push([day, current]);
    }
    const summary: DaySummary = { since, days, group: peerGroup(this.#crb.record), version: stored?.version };
    try {
      for (const [day, digest] of dirty) {
        checkDeadline(this.#clock, this.#deadline);
        const read = await this.#salesOf(day, digest);
        days.set(day, { digest: read.digest, profile: this.#profile(read.sales, day, input) });
      }
    } finally {
      const isSame = stored?.days.size === days.size && [...days].every(([day, each]) => stored.days.get(day) === each);
      if (!isSame) await storeDaySummary(this.#table, this.#crbId, summary);
    }
    return summary;
  }

  #profile(
    sales: readonly InsightSale[],
    day: string,
    { settings, isDecided }: Pick<InsightInput, "settings" | "isDecided">,
  ) {
    const { state } = this.#crb.record;
    return profileDay(sales, { state, rules: saleRules, settings, isDecided: (id) => isDecided(id, day) });
  }

  /**
   * Reads the sales of a day, again while they are not those of its digest, because the list of sales may lag. Damaged sales are
   * left out: then the digest of the result is another one, and the next computation reads the day again.
   *
   * @throws ServiceError "unavailable" if the list lags too long
   */
  #salesOf(day: string, expected: string): Promise<{ sales: InsightSale[]; digest: string }> {
    return retryOnConflict(this.#clock, async () => {
      const sales: InsightSale[] = [];
      let [sum, isDamaged] = [emptyDigest, false];
      for await (const { records } of readSalesOfDay(this.#table, recordList(this.#crbId, "sale"), day)) {
        for (const text of records) {
          isDamaged ||= text === damagedText;
          if (text === damagedText) continue;
          const sale = JSON.parse(text) as InsightSale & RecordDates;
          sales.push(sale);
          sum = addDigests(sum, digestRecord(sale.id, sale));
        }
      }
      const digest = shortDigest(formatDigest(sum));
      if (digest !== expected && !isDamaged) throw new StaleReadError();
      return { sales, digest };
    });
  }

  async #readSettings(spId: string): Promise<InsightSettings> {
    const settings = this.#settings.get(spId) ?? (await readInsightSettings(this.#table, spId));
    this.#settings.set(spId, settings);
    return settings;
  }

  /** The insights whose last day may be judged, and those that are about no day. */
  async #readInsights(first: string): Promise<Map<string, StoredInsight>> {
    // The summary is sorted after them.
    const bounds = { from: addDays(first, 1 - longestPeriod), to: "A" };
    const items = await this.#table.queryPartition(insightsPartition(this.#crbId), bounds);
    return new Map(items.map(toStoredInsight).map((stored) => [stored.insight.id, stored]));
  }

  async #readLicenses(): Promise<InsightLicense[]> {
    const read = (options?: { consistent: boolean }) =>
      readLinks(this.#table, this.#crb.serviceProviderId, this.#crbId, options);
    const day = licenseDay(this.#clock.now());
    const links = await read();
    if (!links.some((link) => statusOn(link, day).status === "expired"))
      return links.map((link) => this.#toLicense(link, day, link.registerDay));
    const imports = await readComparedDays(this.#table);
    // Read once more, because links must be as new as the comparison that the days are of.
    return (await read({ consistent: true })).map((link) =>
      this.#toLicense(link, day, link.readOn ?? imports?.[link.register] ?? link.registerDay),
    );
  }

  /** @param imported the day of the last import that had a row of the license, and with which the link was compared */
  #toLicense(link: Link, day: string, imported: string): InsightLicense {
    const { status } = statusOn(link, day);
    const endedOn = endOn(link, day);
    // A renewal is in no register that was imported before the expiry.
    const isOutdated = status === "expired" && !link.isExpired && endedOn !== null && imported < endedOn;
    return {
      id: link.names.licenseId,
      number: (JSON.parse(link.body) as License).license_identifier,
      linked: link.linkedDate.slice(0, 10),
      endedOn,
      isUnknown: status === "unknown" || status === "missing" || isOutdated,
      hasOtherHolder: compareHolder(link.holder, this.#crb.record) === "different",
    };
  }

  /**
   * The totals of the state system. Only a business that has consented to terms that name one has connections. A read that lags
   * would lack the totals for which the computation is due.
   */
  async #readState(): Promise<StateFigures> {
    if (!this.#crb.consent?.stateSystems) return { totals: new Map(), basis: null, licenses: [] };
    const names = { spId: this.#crb.serviceProviderId, crbId: this.#crbId };
    const [{ totals, basis, licenses }, linked] = await Promise.all([
      readStateConnections(this.#table, this.#crbId),
      readLinkedNumbers(this.#table, names, this.#clock),
    ]);
    const numbers = Object.keys(licenses);
    // A license may have been linked after the last reading.
    const days = Object.entries(totals).filter(([date]) => haveAllSales(numbers, linked, date));
    return { totals: new Map(days), basis, licenses: numbers };
  }

  /** The totals of comparable CRBs in the last complete month, once most of them have completed it. */
  async #readPeers(
    history: ReadonlyMap<string, InsightDay>,
    until: string,
  ): Promise<{ peers: string | undefined; input: InsightInput["peers"] }> {
    const monthEnd = addDays(`${addDays(until, 1).slice(0, 7)}-01`, -1);
    const [month, total, group] = [monthEnd.slice(0, 7), monthTotal(history, monthEnd), peerGroup(this.#crb.record)];
    if (!group || total === undefined) return { peers: undefined, input: new Map() };
    const names = { spId: this.#crb.serviceProviderId, crbId: this.#crbId };
    const others = await exchangeMonthTotals(this.#table, names, { ...group, month, total });
    const isSettled = until >= addDays(monthEnd, settlingDays);
    return isSettled ? { peers: month, input: new Map([[month, others]]) } : { peers: undefined, input: new Map() };
  }

  async #store(changes: readonly InsightChange[]): Promise<void> {
    const { serviceProviderId: spId } = this.#crb;
    const reported = { raised: 0, withdrawn: 0 };
    for (let start = 0; start < changes.length; start += maxChanges) {
      checkDeadline(this.#clock, this.#deadline);
      const part = changes.slice(start, start + maxChanges);
      const events = part.flatMap(({ kind, stored: { insight } }) => {
        if (kind === "updated" || ++reported[kind] > maxEventsOfType) return [];
        const type = kind === "raised" ? "insight.raised" : "insight.withdrawn";
        return [{ type, spId, crbId: this.#crbId, data: { insight_id: insight.id, code: insight.code } } as const];
      });
      const writes = part.flatMap(({ stored, revision }) => insightWrites(this.#table, spId, stored, revision));
      // The end of the association takes the insights off the list.
      const isAssociated = this.#table.checkWrite(associationKey(spId, this.#crbId), exists);
      await commitWithEvents(this.#table, { writes: [isAssociated, ...writes], events }, this.#clock);
    }
  }
}

/** Days after the end of a month before CRBs are compared by it. */
const settlingDays = 3;

const noSales: DayProfile = {
  ...{ paid: 0, hours: [], amounts: [], regulars: [], cases: [] },
  checks: { retail: 0, unchecked: {} },
};

/** Complete days with their profiles. A day without a record between others had no sales. */
function toHistory(
  totals: ReadonlyMap<string, SalesDayTotals>,
  { days }: DaySummary,
  until: string,
): ReadonlyMap<string, InsightDay> {
  const first = [...totals.keys()].sort()[0] ?? until;
  return new Map(
    daysBetween(first, until).flatMap((day): [string, InsightDay][] => {
      const { completedAt, figures = {} } = totals.get(day) ?? {};
      if (completedAt === null) return [];
      return [[day, { figures, profile: totals.has(day) ? days.get(day)?.profile : noSales }]];
    }),
  );
}

/** The stated monthly sales in cents. The interface does not state their unit; they are read as dollars. */
const toCents = (monthlySales: string | null): number | null =>
  monthlySales === null ? null : 100 * Number(monthlySales);
