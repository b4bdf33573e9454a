import { parseSecret, sameDigest } from "../../../shared/auth/secrets.ts";
import type { Table } from "../../../shared/store/client.ts";
import { credentialKey, tokenKey } from "../../../shared/store/keys/credentials.ts";
import { StageError } from "../../cli/stageError.ts";

/**
 * Returns the client id for a leaked API key or access token. Rejects a text that only looks like one: only the holder of a
 * secret may revoke its credential.
 *
 * @throws StageError, which never repeats the text
 */
export async function clientOfSecret(table: Table, text: string): Promise<string> {
  const secret = parseSecret(text);
  if (!secret) throw new StageError("That is no secret (sk_…) and no token (at_…) of this service.");
  const { kind, clientId, digest } = secret;
  const credential = await table.get(credentialKey(clientId), { consistent: true });
  const isGenuine =
    kind === "sk"
      ? credential !== undefined && sameDigest(String(credential.digest), digest)
      : (await table.get(tokenKey(clientId, digest), { consistent: true })) !== undefined;
  if (isGenuine) return clientId;
  const unknown = kind === "sk" ? "is not the secret" : "is no token, or one that has expired,";
  throw new StageError(
    credential
      ? `That ${unknown} of credential ${clientId}, which it names. To revoke it all the same, name it by its id.`
      : "That names no credential of this stage.",
  );
}
