import type { Emulator } from "./emulator.ts";

/** A stage's resources that hold data or are known to callers, by id in the template. */
export async function keptResources(emulator: Emulator): Promise<Record<string, string>> {
  const kept =
    /^AWS::(DynamoDB::Table|S3::Bucket|KMS::Key|SecretsManager::Secret|SQS::Queue|SNS::Topic|ApiGateway::RestApi)$/;
  const found: Record<string, string> = {};
  for (const part of ["data", "monitoring", "background", "api"]) {
    const xml = await emulator.call("cloudformation", {
      Action: "DescribeStackResources",
      StackName: `business-data-sandbox-${part}`,
    });
    for (const [, member = ""] of xml.matchAll(/<member>([\s\S]*?)<\/member>/g)) {
      const value = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`).exec(member)?.[1] ?? "";
      if (kept.test(value("ResourceType"))) found[value("LogicalResourceId")] = value("PhysicalResourceId");
    }
  }
  return found;
}
