/** The times at which new records arrive, in ticks since the connection. They become rarer. */
export interface Arrivals {
  /** number of records that have arrived by a tick */
  by(tick: number): number;
  /** the tick at which the nth record arrives; the first record is number 1 */
  tickOf(nth: number): number;
}

/** One new record every `every` seconds, or every longer tick, until `until` seconds after the connection. */
interface Pace {
  every: number;
  until: number;
}

const hour = 60 * 60;

/** The arrivals of customers and sales: in each replication of the first day, at most 2,500 or so after a month. */
export const newcomers: readonly Pace[] = [
  { every: 1, until: 2 * hour },
  { every: 60, until: 24 * hour },
  { every: hour, until: Number.POSITIVE_INFINITY },
];

/** The arrivals of packages, each in place of an older one: about a thousand in the first month. */
export const deliveries: readonly Pace[] = [
  { every: 300, until: 24 * hour },
  { every: hour, until: Number.POSITIVE_INFINITY },
];

export function arrivalsAt(paces: readonly Pace[], tickSeconds: number): Arrivals {
  const phases: { start: number; before: number; every: number }[] = [];
  let start = 0;
  let before = 0;
  for (const pace of paces) {
    const every = Math.max(1, Math.round(pace.every / tickSeconds));
    phases.push({ start, before, every });
    const count = Math.max(0, Math.floor((pace.until / tickSeconds - start) / every));
    start += count * every;
    before += count;
  }
  const phaseWhere = (holds: (phase: { start: number; before: number }) => boolean) =>
    phases.findLast(holds) ?? { start: 0, before: 0, every: 1 };
  return {
    by(tick) {
      const phase = phaseWhere((phase) => phase.start <= tick);
      return phase.before + Math.floor((tick - phase.start) / phase.every);
    },
    tickOf(nth) {
      const phase = phaseWhere((phase) => phase.before < nth);
      return phase.start + (nth - phase.before) * phase.every;
    },
  };
}
