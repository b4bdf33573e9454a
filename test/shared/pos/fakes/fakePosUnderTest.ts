import { afterEach, beforeEach } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { Connection, PullPage, PullRequest } from "../../../../shared/pos/connector.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { type FakePos, type OwnOptions, type PosName, startFakePos } from "./fakePos.ts";
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
      await this.#start(1, smallSize);
    });
    afterEach(() => this.pos.server.close());
  }

  async #start(seed: number | string, size: typeof smallSize): Promise<void> {
    const now = () => new Date(this.now.getTime() + this.ahead * 60_000);
    const pos = await startFakePos(this.#name, seed, size, now);
    const clock = { ...systemClock, now: () => this.now };
    this.pos = { ...pos, connector: (more) => pos.connector({ clock, ...more }) };
  }

  /** Starts a fake with another shop instead. */
  async restart(seed: number | string, size = smallSize): Promise<void> {
    await this.pos.server.close();
    await this.#start(seed, size);
  }

  /** The stores that the credentials reach. */
  verify(more: Partial<Connection> = {}, options?: OwnOptions) {
    return this.pos.connector(options).verify({ ...this.pos.connection, ...more });
  }

  /** The pulls of a new process. */
  puller<Kind extends RecordKind>(kind: Kind, more: Partial<Connection> = {}, options?: OwnOptions) {
    return new PulledRecords(this.pos.connector(options), { ...this.pos.connection, ...more }, kind);
  }

  /** A page of a pull, for a new process. */
  page<Kind extends RecordKind>(kind: Kind, more: Partial<PullRequest<Kind>> = {}, options?: OwnOptions) {
    const request = { kind, since: null, position: null, now: this.now, ...more };
    return this.pos.connector(options).pull(this.pos.connection, request);
  }

  /** The pages of a pull, each of them for a new process. */
  async *pages<Kind extends RecordKind>(kind: Kind, more: Partial<PullRequest<Kind>> = {}, options?: OwnOptions) {
    for (let position = more.position ?? null; ; ) {
      const page: PullPage<Kind> = await this.page(kind, { ...more, position }, options);
      yield page;
      if (!("position" in page.next)) return;
      position = page.next.position;
    }
  }

  /** A pull without a watermark. */
  pull<Kind extends RecordKind>(kind: Kind, more?: Partial<Connection>, options?: OwnOptions) {
    return this.puller(kind, more, options).pull(this.now);
  }

  /** The records of a pull without a watermark. */
  async afresh<Kind extends RecordKind>(kind: Kind) {
    return (await this.pull(kind)).records;
  }

  later(minutes: number): Date {
    this.now = new Date(this.now.getTime() + minutes * 60_000);
    return this.now;
  }
}
