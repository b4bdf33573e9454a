import { createHash, randomBytes } from "node:crypto";
import { sealSecret, unsealSecret } from "../../platform/crypto/sealing.ts";
import type { Endpoint, SealedSecret } from "./endpoint.ts";

/** A new secret in the form of Standard Webhooks, 32 random bytes; shown once, stored sealed alone. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/**
 * A secret as it is stored.
 *
 * @param by client id of the credential to which it is shown
 * @throws ServiceError "unavailable" when it cannot be sealed now
 */
export const sealedSecret = async (
  endpointId: string,
  secret: string,
  by: string | null = null,
): Promise<SealedSecret> => ({
  sealed: await sealSecret(endpointId, secret),
  until: null,
  by,
});

/** What names a stored secret where nothing of it may be told: the digest of its sealed form, 64 hexadecimal digits. */
export const secretDigest = ({ sealed }: SealedSecret): string => createHash("sha256").update(sealed).digest("hex");

/** The stored secrets by which deliveries are signed at an instant. */
export const findValidSecrets = ({ secrets }: Pick<Endpoint, "secrets">, now: Date): SealedSecret[] =>
  secrets.filter(({ until }) => until === null || Date.parse(until) > now.getTime());

/**
 * The secrets that sign a delivery of an instant, the present one first: never to be logged, stored or answered.
 *
 * @throws ServiceError "unavailable" when they cannot be opened now
 */
export const signingSecrets = (endpoint: Pick<Endpoint, "id" | "secrets">, now: Date): Promise<string[]> =>
  Promise.all(findValidSecrets(endpoint, now).map(({ sealed }) => unsealSecret(endpoint.id, sealed)));
