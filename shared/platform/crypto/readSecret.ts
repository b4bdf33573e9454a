import { SecretsProvider } from "@aws-lambda-powertools/parameters/secrets";
import { awsRequests } from "../aws/awsRequests.ts";

let provider: SecretsProvider | undefined;

/**
 * Reads the secret in AWS Secrets Manager that an environment variable names. Returns undefined if the variable is not
 * set, as on the local stage. Errors of the SDK reach the caller; they contain no part of the secret.
 *
 * @param maxAge seconds for which a cached text is used
 */
export async function readSecret(variable: string, maxAge = 5): Promise<string | undefined> {
  const id = process.env[variable];
  if (!id) return undefined;
  const clientConfig = { requestHandler: awsRequests() };
  provider ??= new SecretsProvider({ clientConfig });
  return (await provider.get(id, { maxAge }))?.toString();
}
