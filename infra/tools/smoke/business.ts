import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type StageSettings, stages } from "../../stages/stages.ts";
import type { Tried } from "./trial.ts";

/** Whether a stage simulates its POS systems, so that fictitious credentials connect a business. */
export const hasSandbox = ({ stage }: Pick<Tried, "stage">): boolean =>
  (stages[stage] as StageSettings).posConnectors === "sandbox";

/** An address that accepts all mail without a reader: SES's mailbox simulator, or a reserved name on the local stage. */
export const invitedAddress = ({ target }: Pick<Tried, "target">): string =>
  target.local ? "smoke@example.com" : "success+smoke@simulator.amazonses.com";

interface Wanted {
  /** Connects the CRB to a simulated POS. */
  connected?: boolean;
  /** Invites a person. */
  invited?: boolean;
}

/**
 * Creates a CRB for the test's service provider through the API.
 *
 * @returns the path of its operations
 * @throws Error with the answer if the API rejects it
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
 * Polls until a condition is true or the time is over.
 *
 * @returns the last value
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
