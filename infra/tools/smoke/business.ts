import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type StageSettings, stages } from "../../stages/stages.ts";
import type { Tried } from "./trial.ts";

/** Whether a stage's POS systems are simulated, so that a business can be connected with made-up credentials. */
export const hasSandbox = ({ stage }: Pick<Tried, "stage">): boolean =>
  (stages[stage] as StageSettings).posConnectors === "sandbox";

/** Takes all mail and shows it to nobody: that of SES's mailbox simulator; elsewhere any of a reserved name. */
export const invitedAddress = ({ target }: Pick<Tried, "target">): string =>
  target.local ? "smoke@example.com" : "success+smoke@simulator.amazonses.com";

interface Wanted {
  /** Connected to a simulated POS. */
  connected?: boolean;
  /** With somebody who is invited. */
  invited?: boolean;
}

/**
 * Creates a CRB of the service provider that was made, as its callers do.
 *
 * @returns the path of its operations
 * @throws Error with the answer where it is refused
 */
export async function createCrb(tried: Tried, { connected, invited }: Wanted): Promise<string> {
  const { api, own } = tried;
  const path = `/service-providers/${own.spId}/crbs`;
  const user = { email: invitedAddress(tried), firstName: "Smoke", lastName: "Test" };
  const { id } = await api.answer("POST", path, {
    headers: { "Idempotency-Key": randomUUID() },
    body: {
      org: { name: `Smoke test ${randomUUID()}`, state: "CO", business_type: "retail" },
      ...(connected && { pos_info: { pos_type: "Dutchie", pos_credentials: { recApiKey: "any-key-will-do" } } }),
      ...(invited && { users: [user] }),
    },
  });
  return `${path}/${id}`;
}

/**
 * Asks until it is so, or the time is over.
 *
 * @param seconds how long, at most
 * @returns what was seen last
 */
export async function until<T>(
  { signal }: Pick<Tried, "signal">,
  seconds: number,
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
): Promise<T> {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const seen = await look();
    if (isSo(seen) || Date.now() > end || signal.aborted) return seen;
    await sleep(1_000, undefined, { signal }).catch(() => undefined);
  }
}
