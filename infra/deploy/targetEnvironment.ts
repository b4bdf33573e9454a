import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { StageError } from "../cli/stageError.ts";

/** The account and region of the credentials in use. @throws StageError naming the missing part of the environment */
export async function resolveAwsEnvironment(): Promise<{ account: string; region: string }> {
  const client = new STSClient({});
  const region = await client.config.region().catch(() => {
    throw new StageError("No region: set AWS_REGION, or AWS_PROFILE to a profile that has one.");
  });
  try {
    const { Account: account = "" } = await client.send(new GetCallerIdentityCommand({}));
    return { account, region };
  } catch (error) {
    const { name, message } = error as Error;
    throw new StageError(
      name === "CredentialsProviderError"
        ? "No AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        : `Cannot read the account of the AWS credentials: ${message}`,
    );
  }
}
