import { createHash, randomBytes } from "node:crypto";
import { sealSecret, unsealSecret } from "../../platform/crypto/sealing.ts";
import { endsWithOf, type Maker } from "../../store/madeWith.ts";
import type { Endpoint, SealedSecret } from "./endpoint.ts";

/**
 * Creates a secret in the format of Standard Webhooks, with 32 random bytes. Callers return the secret once, and store it only
 * in sealed form.
 */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/**
 * Seals a secret for storage.
 *
 * @param by the caller that receives the secret; null if no caller does
 * @throws ServiceError "unavailable" if the secret cannot be sealed now
 */
export const sealedSecret = async (
  endpointId: string,
  secret: string,
  by: Maker | null = null,
): Promise<SealedSecret> => ({
  sealed: await sealSecret(endpointId, secret),
  until: null,
  by: by?.clientId ?? null,
  ...endsWithOf(by),
});

/** SHA-256 of the sealed secret, 64 hexadecimal digits. Identifies a stored secret without revealing it. */
export const secretDigest = ({ sealed }: SealedSecret): string => createHash("sha256").update(sealed).digest("hex");

/** The stored secrets that sign deliveries at `now`. */
export const findValidSecrets = ({ secrets }: Pick<Endpoint, "secrets">, now: Date): SealedSecret[] =>
  secrets.filter(({ until }) => until === null || Date.parse(until) > now.getTime());

/**
 * The unsealed secrets that sign a delivery, the present secret first. Never log, store or return these secrets.
 *
 * @throws ServiceError "unavailable" if the secrets cannot be unsealed now
 */
export const signingSecrets = (endpoint: Pick<Endpoint, "id" | "secrets">, now: Date): Promise<string[]> =>
  Promise.all(findValidSecrets(endpoint, now).map(({ sealed }) => unsealSecret(endpoint.id, sealed)));
