import type { RecordKind } from "../../api/kinds.ts";
import type { Connection } from "../connector.ts";
import type { PosRecords } from "../posRecords.ts";
import { type Arrivals, arrivalsAt, deliveries, newcomers } from "./arrivals.ts";

/** The simulated business. Its records are computed from the CRB's id, its connection and an instant, not stored. */
export interface World {
  crbId: string;
  businessType: Connection["businessType"];
  posType: Connection["posType"];
  state: string;
  timezone: string;
  /** epoch milliseconds */
  connectedAt: number;
  tickMilliseconds: number;
  /** arrivals of customers and of sales */
  newcomers: Arrivals;
  /** arrivals of packages; each replaces the oldest package */
  deliveries: Arrivals;
}

/** The version of one record: its number, its number of changes, and the tick of its arrival or last change. */
export interface RecordVersion {
  index: number;
  version: number;
  /** 0 for the state at the connection */
  tick: number;
}

/** The records of one kind: their number at the connection, their arrivals and removals, and their changes. */
export interface Population {
  initial: number;
  arrivals?: Arrivals;
  /** whether each new record permanently removes the oldest one */
  replaced?: boolean;
  /** maximum number of changes of a record; unlimited when absent */
  maxChanges?(index: number): number;
}

export interface SandboxKind<Kind extends RecordKind> {
  population(world: World): Population;
  record(world: World, standing: RecordVersion): PosRecords[Kind];
  /** whether each pull returns all records, not only new and changed ones */
  complete?: boolean;
}

export function worldOf(connection: Omit<Connection, "credentials">, tickSeconds: number): World {
  return {
    crbId: connection.crbId,
    businessType: connection.businessType,
    posType: connection.posType,
    state: connection.state,
    timezone: connection.timezone,
    connectedAt: Date.parse(connection.connectedAt),
    tickMilliseconds: tickSeconds * 1000,
    newcomers: arrivalsAt(newcomers, tickSeconds),
    deliveries: arrivalsAt(deliveries, tickSeconds),
  };
}

/** Caches one value per world. The value is computed at its first use and kept as long as the world is in memory. */
export function perWorld<T>(make: (world: World) => T): (world: World) => T {
  const made = new WeakMap<World, T>();
  return (world) => {
    const known = made.get(world) ?? make(world);
    made.set(world, known);
    return known;
  };
}

/** Whole ticks from the connection to the instant, never below 0. */
export function tickAt(world: World, instant: Date): number {
  return Math.max(0, Math.floor((instant.getTime() - world.connectedAt) / world.tickMilliseconds));
}

export function instantOf(world: World, tick: number): Date {
  return new Date(world.connectedAt + tick * world.tickMilliseconds);
}

/** The tick at which a record arrives; 0 for initial records. */
export function arrivalOf({ initial, arrivals }: Population, index: number): number {
  return index < initial ? 0 : (arrivals?.tickOf(index - initial + 1) ?? 0);
}

/**
 * Records that are new or changed after tick `since` (null: all) up to tick `until`, oldest change first. Each record
 * changes once in `initial` ticks until its maximum of changes. So about one record changes per tick.
 */
export function recordVersions(population: Population, since: number | null, until: number): RecordVersion[] {
  const arrived = population.arrivals?.by(until) ?? 0;
  const found: RecordVersion[] = [];
  for (let index = population.replaced ? arrived : 0; index < population.initial + arrived; index++) {
    const standing = recordVersionOf(population, index, until);
    if (since === null || standing.tick > since) {
      found.push(standing);
    }
  }
  return found.sort((a, b) => a.tick - b.tick || a.index - b.index);
}

/** A prime number, so that neighbors in the list change at distant times, and each tick changes one initial record. */
const stride = 1237;

/** The version at a tick of a record that has arrived. */
export function recordVersionOf(population: Population, index: number, until: number): RecordVersion {
  const { initial, maxChanges } = population;
  const arrival = arrivalOf(population, index);
  const phase = (index * stride) % initial;
  const cycles = (tick: number) => Math.floor((tick - phase) / initial);
  const most = maxChanges?.(index) ?? Number.POSITIVE_INFINITY;
  const version = Math.min(cycles(until) - cycles(arrival), most);
  return { index, version, tick: version === 0 ? arrival : phase + (cycles(arrival) + version) * initial };
}
