import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ConnectablePosType, replicationErrors, replicationStates } from "../../../shared/api/enumerations.ts";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { lacks, posTypes } from "../../../shared/api/pos/posTypes.ts";
import { noCounts, type ReplicationState } from "../../../shared/domain/replication/replicationState.ts";
import {
  determineReplicationState,
  type ReplicationStatus,
} from "../../../shared/domain/replication/replicationStatus.ts";
import type { Crb } from "../../../shared/store/crb.ts";
import { crbRecord } from "../../crbRecord.ts";

type State = (typeof replicationStates)[number];

const guide = readFileSync("docs/guide/fresh-data.md", "utf8");
const rows = (heading: string) =>
  [...(guide.split(`| ${heading} |`)[1]?.split("\n\n")[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

const now = new Date("2026-03-01T12:00:00.000Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();
const intervals = { location: 600, product: 600, customer: 600, inventory: 600, sale: 600 };

interface Facts {
  crb: Crb;
  standing: ReplicationStatus & { state: ReplicationState };
}

/** A kind whose replication goes well, with a last success that is as old as is allowed. */
function current(): Facts {
  const record = crbRecord("5f0d9c1e-2b7a-4c63-8e15-a9340b6d27f8");
  const state: ReplicationState = {
    fence: 3,
    held_until: 0,
    since: "watermark",
    position: null,
    seen_parts: null,
    started_at: ago(1_810),
    succeeded_at: ago(1_800),
    succeeded_from: ago(1_810),
    first_succeeded_at: ago(90_000),
    error: null,
    attempts: 0,
    not_before: null,
    counts: noCounts,
    total: null,
  };
  const connection = { posType: "Treez" as const, locationId: null, connectedAt: ago(100_000) };
  return {
    crb: { record, serviceProviderId: "", connection },
    standing: { kind: "inventory", state, due: ago(-60), rejected: 0 },
  };
}

/** Makes the condition of each row true; without any, the state is `current`. */
const holds: Record<Exclude<State, "current">, (facts: Facts) => void> = {
  not_connected: ({ crb }) => void Object.assign(crb, { connection: null }),
  not_available: ({ crb }) => void Object.assign(crb.connection ?? {}, { posType: "Sage Intacct" }),
  manual: ({ crb }) => void Object.assign(crb.connection ?? {}, { posType: "Manual Upload Retail" }),
  paused: ({ crb }) => void Object.assign(crb.record, { status: "bank_disconnected" }),
  failing: ({ standing }) => void Object.assign(standing.state, { error: "unreachable", attempts: 1 }),
  waiting: ({ standing }) =>
    void Object.assign(standing.state, { started_at: null, succeeded_at: null, first_succeeded_at: null }),
  initial: ({ standing }) => void Object.assign(standing.state, { succeeded_at: null, first_succeeded_at: null }),
  late: ({ standing }) => void Object.assign(standing.state, { succeeded_at: ago(1_801) }),
};
const conditions = Object.keys(holds) as (keyof typeof holds)[];

/** Pairs of rows whose conditions cannot both be true. */
const exclusive = new Set([
  // Without a connection there is no POS that could lack records or be a file.
  "not_connected not_available",
  "not_connected manual",
  "not_available manual",
  // A failed run has begun, and a kind that has never succeeded cannot have done so long ago.
  "failing waiting",
  "waiting late",
  "initial late",
]);

/** @param applied the conditions, applied in this order */
function stateWith(...applied: (keyof typeof holds)[]): State {
  const facts = current();
  for (const condition of applied) holds[condition](facts);
  return determineReplicationState(facts.crb, facts.standing, intervals, now);
}

test("the tables of the guide name every state in its order, and every error", () => {
  expect(rows("State")).toEqual(replicationStates);
  expect(rows("`error`")).toEqual(replicationErrors);
});

test("a replication that goes well is current", () => {
  expect(stateWith()).toBe("current");
});

describe.each(conditions)("the state %s", (condition) => {
  test("applies if only its own condition is true", () => {
    expect(stateWith(condition)).toBe(condition);
  });

  test("takes precedence over every later row whose condition is also true", () => {
    for (const later of conditions.slice(conditions.indexOf(condition) + 1)) {
      if (exclusive.has(`${condition} ${later}`)) continue;
      expect([later, stateWith(later, condition), stateWith(condition, later)]).toEqual([later, condition, condition]);
    }
  });
});

test("a kind is not_available if, and only if, its POS lacks it", () => {
  for (const posType of Object.keys(posTypes) as ConnectablePosType[]) {
    for (const kind of recordKinds) {
      const { crb, standing } = current();
      const connection = { posType, locationId: null, connectedAt: ago(100_000) };
      const state = determineReplicationState({ ...crb, connection }, { ...standing, kind }, intervals, now);
      expect(state).toBe(lacks(posType, kind) ? "not_available" : "current");
    }
  }
});

test("a kind that has never been replicated waits", () => {
  const { crb, standing } = current();
  expect(determineReplicationState(crb, { ...standing, state: undefined }, intervals, now)).toBe("waiting");
});
