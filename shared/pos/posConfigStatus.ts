import type { PosConnectionStatus } from "../api/enumerations.ts";
import type { Crb } from "../api/schemas/crb.ts";

type PosConfig = Crb["pos_configs"][number];

/** What is there before anything was entered. */
type Status = PosConnectionStatus | "(new)";

const anyStatus: readonly Status[] = ["Connected", "Not Connected", "Needs Attention", "Pending"];

/**
 * What happens to a POS configuration; from any other status than these it changes nothing (docs/spec.md#pos-status):
 * `connect`, a creation whose test call was accepted; `enter`, credentials entered whose first check is not finished;
 * `succeed`, a check or a data transfer; `refuse`, the POS refuses the credentials or the location is gone; `remove`,
 * the end of the connection.
 */
const moves = {
  connect: { from: ["(new)"], to: "Connected" },
  enter: { from: ["(new)", "Not Connected"], to: "Pending" },
  succeed: { from: ["Pending", "Needs Attention"], to: "Connected" },
  refuse: { from: ["Pending", "Connected"], to: "Needs Attention" },
  remove: { from: anyStatus, to: "Not Connected" },
} as const satisfies Record<string, { from: readonly Status[]; to: PosConnectionStatus }>;

export type PosConfigMove = keyof typeof moves;

/** Where a POS configuration comes to by a move; undefined when the move is not allowed from where it is. */
export function findNextPosStatus(from: Status, move: PosConfigMove): PosConnectionStatus | undefined {
  const { from: allowed, to }: { from: readonly Status[]; to: PosConnectionStatus } = moves[move];
  return allowed.includes(from) ? to : undefined;
}

/**
 * A CRB's POS configurations after a move of the one of a POS type, which is made where it does not exist.
 *
 * @returns undefined when the move is not allowed, or leaves it where it is: then nothing is to be stored
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
