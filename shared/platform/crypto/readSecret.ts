import { SecretsProvider } from "@aws-lambda-powertools/parameters/secrets";
import { awsRequests } from "../aws/awsRequests.ts";

let provider: SecretsProvider | undefined;

/**
 * The text of the secret in AWS Secrets Manager that an environment variable names; undefined where it names none, as on
 * one machine. Throws what the SDK throws, which holds nothing of the secret.
 *
 * @param maxAge for how many seconds a text that was read before does
 */
export async function readSecret(variable: string, maxAge = 5): Promise<string | undefined> {
  const id = process.env[variable];
  if (!id) return undefined;
  const clientConfig = { requestHandler: awsRequests() };
  provider ??= new SecretsProvider({ clientConfig });
  return (await provider.get(id, { maxAge }))?.toString();
}
