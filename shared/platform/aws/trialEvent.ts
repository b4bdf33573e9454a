/**
 * The event with which `npm run smoke` invokes the functions without a caller. It has no messages, and functions of schedules
 * return at once: their work could take minutes, and would change stored data.
 */
export const trialEvent = { Records: [], trial: true } as const;

export const isTrial = (event: unknown): boolean =>
  typeof event === "object" && event !== null && "trial" in event && event.trial === true;
