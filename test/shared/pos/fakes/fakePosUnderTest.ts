import { afterEach, beforeEach } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { type FakePos, type PosName, startFakePos } from "./fakePos.ts";
import { PulledRecords } from "./pulls.ts";
import { smallSize } from "./shop.ts";

/**
 * A fake POS that is started before each test and closed after it. The test controls its clock and the service's clock.
 */
export class FakePosUnderTest {
  readonly #name: PosName;
  /** The service's clock. */
  now = new Date(0);
  /** The minutes by which the POS's clock is ahead of the service's. */
  ahead = 0;
  pos!: FakePos;

  constructor(name: PosName, begin: string) {
    this.#name = name;
    beforeEach(async () => {
      this.now = new Date(begin);
      this.ahead = 0;
      this.pos = await this.start();
    });
    afterEach(() => this.pos.server.close());
  }

  async start(seed: number | string = 1, size = smallSize): Promise<FakePos> {
    const now = () => new Date(this.now.getTime() + this.ahead * 60_000);
    const pos = await startFakePos(this.#name, seed, size, now);
    const clock = { ...systemClock, now: () => this.now };
    return { ...pos, connector: (more) => pos.connector({ clock, ...more }) };
  }

  /** Starts a fake with another shop instead. */
  async restart(seed: number | string): Promise<void> {
    await this.pos.server.close();
    this.pos = await this.start(seed);
  }

  puller<Kind extends RecordKind>(kind: Kind, of = this.pos): PulledRecords<Kind> {
    return new PulledRecords(of.connector(), of.connection, kind);
  }

  later(minutes: number): Date {
    this.now = new Date(this.now.getTime() + minutes * 60_000);
    return this.now;
  }

  /** The records of a pull without a watermark. */
  async afresh<Kind extends RecordKind>(kind: Kind) {
    return (await this.puller(kind).pull(this.now)).records;
  }
}
