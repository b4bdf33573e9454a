const dayMs = 86_400_000;

/**
 * The last possible expiry of a credential that is issued now: MAX_CREDENTIAL_DAYS after now; undefined on a stage without
 * this setting.
 */
export function latestExpiry(now: Date): Date | undefined {
  const days = Number(process.env.MAX_CREDENTIAL_DAYS || 0);
  return days > 0 ? new Date(now.getTime() + days * dayMs) : undefined;
}

/**
 * Why a requested expiry is too late; undefined if it is not.
 *
 * @returns the message, which continues the name of the input
 */
export function findExpiryIssue(expiresAt: Date): string | undefined {
  const latest = latestExpiry(new Date());
  if (!latest || expiresAt <= latest) return undefined;
  return `must be at most ${process.env.MAX_CREDENTIAL_DAYS} days from now, the maximum age of credentials on this stage`;
}
