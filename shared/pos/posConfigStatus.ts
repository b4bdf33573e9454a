import type { PosConnectionStatus } from "../api/enumerations.ts";
import type { Crb } from "../api/schemas/crb.ts";

type PosConfig = Crb["pos_configs"][number];

/** "(new)" stands for a configuration that does not exist yet. */
type Status = PosConnectionStatus | "(new)";

const anyStatus: readonly Status[] = ["Connected", "Not Connected", "Needs Attention", "Pending"];

/**
 * The transitions of a POS configuration (docs/spec.md#pos-status). `from` lists the statuses that allow a transition.
 * In all other statuses, the transition changes nothing.
 *
 * - `connect`: the caller connects the POS, and the POS accepts the credentials in the test call
 * - `enter`: the caller sends new credentials, which are not verified yet
 * - `succeed`: a check or a data transfer succeeds
 * - `refuse`: the POS rejects the credentials, or the location does not exist anymore
 * - `remove`: the connection ends
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
 * Applies a transition to the POS configuration of one POS type. Creates the configuration if it does not exist.
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
