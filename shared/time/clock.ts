import { setTimeout } from "node:timers/promises";

/**
 * The source of the current time for code that writes records. Tests replace the clock to choose the day and the time
 * of day.
 */
export interface Clock {
  now(): Date;
  sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (milliseconds) => {
    await setTimeout(milliseconds);
  },
};

/** The UTC day of an instant, yyyy-MM-dd. */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
