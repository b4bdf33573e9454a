import { terms } from "../../shared/domain/onboarding/terms.ts";
import type { Table } from "../../shared/store/client.ts";
import { changeCrb } from "../../shared/store/crbs.ts";
import { readStateConnections } from "../../shared/store/stateConnections.ts";
import { StageError } from "../cli/stageError.ts";
import { stages } from "../stages/stages.ts";
import type { Demo } from "./demo.ts";
import { demoMetrcAccess } from "./metrc/demoMetrcAccess.ts";

/** The invitation of the fictitious user who gave the consent of the first business. */
const consentGivenBy = "7c1b2f64-0a3e-4d58-9b7d-2e6f41c80a17";

/**
 * Stores the consent of the first demo business, and connects its license to the state's system through the API, unless a
 * license is connected. Requires the linked license.
 *
 * @throws StageError if the API rejects the connection
 */
export async function prepareStateConnection(table: Table, baseUrl: string, demo: Demo): Promise<void> {
  const crbId = demo.crbs[0]?.crb_id ?? "";
  const { licenses } = await readStateConnections(table, crbId);
  if (Object.keys(licenses).length > 0) return;
  const date = table.clock.now().toISOString();
  const termsVersion = terms(stages.local).version;
  const consent = { termsVersion, date, givenBy: consentGivenBy, stateSystems: ["Metrc" as const] };
  await changeCrb(table, crbId, (crb) => (crb.consent ? undefined : { ...crb, consent }));
  const { licenseNumber, userKey } = demoMetrcAccess;
  const { sp_id, client_secret } = demo.service_provider;
  const path = `service-providers/${sp_id}/crbs/${crbId}/state-connections/${licenseNumber}`;
  const { status } = await fetch(`${baseUrl}/${path}`, {
    method: "PUT",
    headers: { Authorization: client_secret, "Content-Type": "application/json" },
    body: JSON.stringify({ system: "Metrc", user_key: userKey }),
  });
  if (status !== 200)
    throw new StageError(
      `The demo's connection to the state's system was rejected with ${status}; see log.jsonl in the data directory.`,
    );
}
