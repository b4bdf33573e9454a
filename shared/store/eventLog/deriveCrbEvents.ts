import { isDeepStrictEqual } from "node:util";
import type { Crb } from "../crb.ts";
import type { NewEvent } from "./newEvent.ts";

/** The events for the changes of a CRB's record (docs/spec.md#events). @param before undefined for a new CRB */
export function deriveCrbEvents(before: Crb | undefined, { record: after, serviceProviderId: spId }: Crb): NewEvent[] {
  const of = { spId, crbId: after.id };
  if (!before) return [{ type: "crb.created", ...of, data: {} }];
  const { status, pos_configs, ...others } = before.record;
  const { status: newStatus, pos_configs: newConfigs, ...newOthers } = after;
  const events: NewEvent[] = [];
  if (!isDeepStrictEqual(others, newOthers)) events.push({ type: "crb.updated", ...of, data: {} });
  if (status !== newStatus) events.push({ type: "crb.status.changed", ...of, data: { from: status, to: newStatus } });
  for (const { name, status: to } of newConfigs) {
    const from = pos_configs.find((config) => config.name === name)?.status ?? null;
    if (to === undefined || to === from) continue;
    events.push({ type: "pos.status.changed", ...of, data: { pos_type: name, from, to } });
  }
  return events;
}
