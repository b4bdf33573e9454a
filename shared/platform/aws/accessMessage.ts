/**
 * The `message` of the log lines that are access log entries. No other log line may have this message, because
 * `infra/constructs/accessLogDelivery.ts` filters by it.
 */
export const accessMessage = "access";
