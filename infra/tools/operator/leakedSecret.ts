import { parseSecret, sameDigest } from "../../../shared/auth/secrets.ts";
import type { Table } from "../../../shared/store/client.ts";
import { credentialKey, tokenKey } from "../../../shared/store/keys/credentials.ts";
import { StageError } from "../../cli/stageError.ts";

/**
 * Returns the client id for a leaked API key or access token. Rejects a text that only looks like a secret, since only
 * the holder of a secret may revoke its credential.
 *
 * @throws StageError, which never repeats the text
 */
export async function clientOfSecret(table: Table, text: string): Promise<string> {
  const secret = parseSecret(text);
  if (!secret) throw new StageError("The input is neither a secret (sk_…) nor a token (at_…) of this service.");
  const { kind, clientId, digest } = secret;
  const credential = await table.get(credentialKey(clientId), { consistent: true });
  const isGenuine =
    kind === "sk"
      ? credential !== undefined && sameDigest(String(credential.digest), digest)
      : (await table.get(tokenKey(clientId, digest), { consistent: true })) !== undefined;
  if (isGenuine) return clientId;
  const unknown = kind === "sk" ? "secret is not valid" : "token is not valid, or has expired";
  throw new StageError(
    credential
      ? `The ${unknown}. It names the credential ${clientId}: to revoke that credential anyway, run the command with its client id.`
      : "The input names a credential that does not exist in this stage.",
  );
}
