import { kindsByName } from "../../../shared/api/kinds.ts";
import { readReplications } from "../../../shared/domain/replication/readReplications.ts";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../shared/store/client.ts";
import { type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { ListCopy } from "../../shared/store/orderedList/listCopy.ts";
import { expectedDigest } from "../../shared/store/salesDays/faultsOfTotals.ts";
import type { Job } from "../realRules/actors.ts";
import type { RealRules } from "../realRules/realRules.ts";
import type { Outages } from "./outages.ts";
import { everyMinute, type SimulatedKind, segmentSize, simulatedKinds } from "./readings.ts";
import type { Stored } from "./stored.ts";

interface Follower {
  name: string;
  kind: SimulatedKind;
  list: OrderedList;
  copy: ListCopy;
  /** percentage of rounds that it takes part in */
  diligence: number;
}

/**
 * Clients that copy a business's records by following the changes, some always, some rarely. They are killed, and
 * continue from their cursor, which may be the one before the last page.
 */
export class Followers {
  readonly #chance: Dice;
  readonly #crbId: string;
  readonly #outages: Outages;
  readonly #followers: readonly Follower[];

  constructor(chance: Dice, crbId: string, outages: Outages) {
    this.#outages = outages;
    this.#crbId = crbId;
    this.#chance = chance;
    this.#followers = simulatedKinds.flatMap((kind) =>
      [100, 30].map((diligence) => ({
        name: `${kind} ${diligence}`,
        kind,
        list: recordList(crbId, kind, segmentSize),
        copy: new ListCopy(),
        diligence,
      })),
    );
  }

  get counts(): { followed: number; resets: number; gaps: number } {
    const copies = this.#followers.map(({ copy }) => copy);
    return {
      followed: copies.reduce((sum, { received }) => sum + received, 0),
      resets: copies.reduce((sum, { resets }) => sum + resets, 0),
      gaps: copies.reduce((sum, { gaps }) => sum + gaps, 0),
    };
  }

  /** The followers that take part in a round. */
  jobs(round: number, world: RealRules, table: Table): Job[] {
    const chance = this.#chance;
    const some = this.#followers.filter(({ diligence }) => chance.percent(diligence));
    return some.map((follower) => ({
      name: `follower ${round}: ${follower.name}`,
      work: () => this.#follow(follower, world, table),
      ...(chance.percent(30) && { crashAfterCalls: chance.between(0, 30) }),
    }));
  }

  async #follow({ list, copy }: Follower, world: RealRules, table: Table): Promise<void> {
    const chance = this.#chance;
    if (copy.pages > 0 && chance.percent(30)) copy.loseCursor();
    for (let pages = chance.between(1, 6); pages > 0; pages--) {
      if (chance.percent(50)) await world.nextWrite(list.pk, 60_000);
      await copy.turn(table, list, chance.between(1, 9)).catch((error) => {
        if (!this.#outages.take(error)) throw error;
      });
      await world.clock.sleep(chance.between(0, chance.pick([0, 20, 500])));
    }
  }

  /** Some followers read one more page each. */
  async goOn(table: Table): Promise<void> {
    const some = this.#followers.filter(() => this.#chance.percent(50));
    for (const { list, copy } of some) await copy.turn(table, list, this.#chance.between(1, 9));
  }

  /**
   * Differences between the copies and the table after the followers have read everything.
   *
   * @param resets expected number of resets of each follower by then
   */
  async differences(table: Table, stored: Stored, resets: number): Promise<string[]> {
    const wrong: string[] = [];
    const reported = await readReplications(table, this.#crbId, everyMinute);
    for (const { name, kind, list, copy } of this.#followers) {
      await copy.toTheEnd(table, list, this.#chance.pick([3, 10, 1_000]));
      const records = stored.get(list.pk) ?? [];
      const differing = records.filter(({ sk, body }) => copy.records.get(sk) !== body).map(({ sk }) => sk);
      if (copy.records.size !== records.length) {
        wrong.push(`${name}: a copy of ${copy.records.size} records instead of ${records.length}`);
      }
      const { digest } = reported.find((one) => kindsByName[one.kind] === kind) ?? {};
      const ofCopy = expectedDigest([...copy.records.values()].map((body) => JSON.parse(body)));
      if (digest !== ofCopy) wrong.push(`${name}: the copy has the digest ${ofCopy}, the list ${digest}`);
      if (differing.length > 0) wrong.push(`${name}: the copy differs in ${differing}`);
      if (copy.resets !== resets) wrong.push(`${name}: ${copy.resets} resets instead of ${resets}`);
    }
    return wrong;
  }
}
