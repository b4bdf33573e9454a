import type { PosConnectionStatus } from "../api/enumerations.ts";
import type { Crb } from "../api/schemas/crb.ts";

type PosConfig = Crb["pos_configs"][number];

/** "(new)" is the status before the first entry. */
type Status = PosConnectionStatus | "(new)";

const anyStatus: readonly Status[] = ["Connected", "Not Connected", "Needs Attention", "Pending"];

/**
 * The transitions of a POS configuration; from any other status they change nothing (docs/spec.md#pos-status).
 *
 * - `connect`: a creation whose test call was accepted
 * - `enter`: new credentials before their first check is finished
 * - `succeed`: a check or a data transfer
 * - `refuse`: the POS rejects the credentials or the location is gone
 * - `remove`: the end of the connection
 */
const moves = {
  connect: { from: ["(new)"], to: "Connected" },
  enter: { from: ["(new)", "Not Connected"], to: "Pending" },
  succeed: { from: ["Pending", "Needs Attention"], to: "Connected" },
  refuse: { from: ["Pending", "Connected"], to: "Needs Attention" },
  remove: { from: anyStatus, to: "Not Connected" },
} as const satisfies Record<string, { from: readonly Status[]; to: PosConnectionStatus }>;

export type PosConfigMove = keyof typeof moves;

/** The status after a transition; undefined if the transition is not allowed from this status. */
export function findNextPosStatus(from: Status, move: PosConfigMove): PosConnectionStatus | undefined {
  const { from: allowed, to }: { from: readonly Status[]; to: PosConnectionStatus } = moves[move];
  return allowed.includes(from) ? to : undefined;
}

/**
 * Applies a transition to the POS configuration of one POS type and creates it if it does not exist.
 *
 * @returns undefined if the transition is not allowed or changes nothing; the caller then stores nothing
 */
export function applyPosConfigMove(
  configs: readonly PosConfig[],
  posType: PosConfig["name"],
  move: PosConfigMove,
  now: Date,
): PosConfig[] | undefined {
  const present = configs.find(({ name }) => name === posType);
  const from = present?.status ?? "(new)";
  const status = findNextPosStatus(from, move);
  if (!status || status === from) return undefined;
  const moved = { name: posType, updated_date: now.toISOString(), status };
  return present ? configs.map((config) => (config === present ? moved : config)) : [...configs, moved];
}
