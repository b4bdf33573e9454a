import { isDeepStrictEqual } from "node:util";
import type { Crb } from "../crb.ts";
import type { NewEvent } from "./newEvent.ts";

/**
 * The events for the changes of a CRB's record (docs/spec.md#events). @param before the stored CRB; undefined for a new one
 */
export function deriveCrbEvents(before: Crb | undefined, { record: after, serviceProviderId: spId }: Crb): NewEvent[] {
  const of = { spId, crbId: after.id };
  if (!before) return [{ type: "crb.created", ...of, data: {} }];
  const { status, pos_configs, ...others } = before.record;
  const { status: newStatus, pos_configs: newConfigs, ...newOthers } = after;
  const moved = newConfigs.flatMap(({ name, status: to }) => {
    const from = pos_configs.find((config) => config.name === name)?.status ?? null;
    return to === undefined || from === to
      ? []
      : [{ type: "pos.status.changed" as const, ...of, data: { pos_type: name, from, to } }];
  });
  return [
    ...(isDeepStrictEqual(others, newOthers) ? [] : [{ type: "crb.updated" as const, ...of, data: {} }]),
    ...(status === newStatus
      ? []
      : [{ type: "crb.status.changed" as const, ...of, data: { from: status, to: newStatus } }]),
    ...moved,
  ];
}
