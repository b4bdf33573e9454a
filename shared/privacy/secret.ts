import { SecretsProvider } from "@aws-lambda-powertools/parameters/secrets";

/**
 * The text of the secret in AWS Secrets Manager that an environment variable names; undefined where it names none, as on
 * one machine. Throws what the SDK throws, which holds nothing of the secret.
 */
export async function readSecret(variable: string): Promise<string | undefined> {
  const id = process.env[variable];
  if (!id) return undefined;
  const clientConfig = { requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 } };
  return (await new SecretsProvider({ clientConfig }).get(id))?.toString();
}
