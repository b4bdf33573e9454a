import { type Clock, systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { PosError } from "../connector.ts";
import type { MetrcAccess, MetrcOptions } from "./metrcAccess.ts";
import { MetrcApi, type ReceiptList, type Window } from "./metrcApi.ts";
import { type ReceiptPage, readWindow, type WindowRows } from "./readWindow.ts";

/** The receipts of both lists that changed in a window. */
export type Receipts = Record<ReceiptList, WindowRows>;

/** Maximum number of attempts of a call. `PosClient` also repeats each attempt, except after a timeout. */
const maxAttempts = 4;
/** Maximum wait before a further attempt. It limits `Retry-After`, which is not reliable at Metrc. */
const maxPauseMs = 30_000;
/** The time that is reserved for the last window. */
const reservedMs = 30_000;

/** Reads windows of receipts, and waits if Metrc receives too many requests. */
export class ReceiptReader {
  readonly #api: MetrcApi;
  readonly #clock: Clock;
  readonly #remainingMs: () => number;
  #latestMs = 0;

  constructor(access: MetrcAccess, remainingMs: () => number, options: MetrcOptions) {
    this.#api = new MetrcApi(access, options);
    this.#clock = options.clock ?? systemClock;
    this.#remainingMs = remainingMs;
  }

  /** The latest present time by the service's clock or by Metrc's clock. */
  get latest(): Date {
    return new Date(Math.max(this.#latestMs, this.#clock.now().getTime()));
  }

  /**
   * Makes sure that the keys are valid and reach the license.
   *
   * @returns the time on Metrc's clock
   * @throws PosError "credentialsRefused", "locationGone", or a temporary failure
   */
  async requireLicense(): Promise<Date | null> {
    const { isFound, date } = await this.#repeat(() => this.#api.findLicense());
    if (!isFound) throw new PosError("locationGone");
    return date;
  }

  /**
   * Reads the receipts that changed in a window.
   *
   * @param isClosed whether the window ends before the present. If false, it can change while it is read
   * @throws OutOfTimeError if only the time for the last window remains, and the window is closed
   */
  async read(window: Window, isClosed = true): Promise<Receipts> {
    const read = (list: ReceiptList) =>
      readWindow((number) => this.#readPage(list, window, number, isClosed), isClosed);
    // A receipt moves from the active to the inactive list. In this order, it is in at least one of them.
    const active = await read("active");
    return { active, inactive: await read("inactive") };
  }

  /** The number of receipts that changed in a window before the present; null if the list does not state it. */
  async count(list: ReceiptList, window: Window): Promise<number | null> {
    return (await this.#readPage(list, window, 1)).total;
  }

  async #readPage(list: ReceiptList, window: Window, number: number, canEnd = true): Promise<ReceiptPage> {
    if (canEnd && this.#remainingMs() < reservedMs) throw new OutOfTimeError();
    const page = await this.#repeat(() => this.#api.receipts(list, window, number));
    this.#latestMs = Math.max(this.#latestMs, page.date?.getTime() ?? 0);
    return page;
  }

  async #repeat<Result>(call: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof PosError)) throw error;
        const pauseMs = Math.min(maxPauseMs, Math.max(1_000 * 2 ** attempt, 1_000 * (error.retryAfter ?? 0)));
        const isLast = attempt >= maxAttempts || error.failure === "notUnderstood";
        if (isLast || pauseMs > this.#remainingMs() - reservedMs) throw await this.#explain(error);
        await this.#clock.sleep(pauseMs);
      }
    }
  }

  /** The failure that a denied call means: the credentials may be valid and only lack a permission. */
  async #explain(error: PosError): Promise<PosError> {
    if (error.failure !== "credentialsRefused") return error;
    const { isFound } = await this.#api.findLicense();
    return isFound ? new PosError("notPermitted", { code: "401" }) : new PosError("locationGone");
  }
}
