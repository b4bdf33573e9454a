import { isDeepStrictEqual } from "node:util";
import type { Crb } from "../crb.ts";
import type { NewEvent } from "./newEvent.ts";

/**
 * The events for the changes of a CRB's record (docs/spec.md#events).
 *
 * @param before the CRB as stored; undefined for a new CRB
 */
export function deriveCrbEvents(before: Crb | undefined, { record: after, serviceProviderId: spId }: Crb): NewEvent[] {
  const tell = (type: NewEvent["type"], data: NewEvent["data"] = {}) => ({ type, spId, crbId: after.id, data });
  if (!before) return [tell("crb.created")];
  const { status, pos_configs, ...others } = before.record;
  const { status: newStatus, pos_configs: newConfigs, ...newOthers } = after;
  const moved = newConfigs.flatMap(({ name, status: to }) => {
    const from = pos_configs.find((config) => config.name === name)?.status ?? null;
    return from === to ? [] : [tell("pos.status.changed", { pos_type: name, from, to })];
  });
  return [
    ...(isDeepStrictEqual(others, newOthers) ? [] : [tell("crb.updated")]),
    ...(status === newStatus ? [] : [tell("crb.status.changed", { from: status, to: newStatus })]),
    ...moved,
  ];
}
