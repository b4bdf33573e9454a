import { CloudTrailClient, DescribeTrailsCommand } from "@aws-sdk/client-cloudtrail";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, SESv2Client } from "@aws-sdk/client-sesv2";
import type { StageSettings } from "./stages.ts";

/** Trails that a region may have; it cannot be raised. */
const mostTrails = 5;

/** What stands in the way of a deployment, and what an operator should know of beforehand; each with what to do. */
export interface Findings {
  refusals: string[];
  warnings: string[];
}

/**
 * Looks at what only AWS knows, and what a deployment would fail of after minutes, or mail after a day.
 *
 * @param isNew whether the stage is yet to be made
 * @throws Error when AWS does not tell, mostly for want of a permission
 */
export async function preflight(settings: StageSettings, region: string, isNew: boolean): Promise<Findings> {
  if (settings.answers === "examples") return { refusals: [], warnings: [] };
  const [concurrency, trails, mail] = await Promise.all([
    checkConcurrency(settings, region),
    isNew ? checkTrails(region) : [],
    checkMail(settings.mailFrom, region),
  ]);
  return { refusals: [...concurrency, ...trails, ...mail.refusals], warnings: mail.warnings };
}

async function checkConcurrency({ aws }: StageSettings, region: string): Promise<string[]> {
  const client = new LambdaClient({ region });
  try {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    const limit = AccountLimit?.ConcurrentExecutions ?? 0;
    const needed = aws?.accountConcurrency ?? 0;
    if (limit >= needed) return [];
    return [
      `The account may run ${limit} functions at once in ${region}, and this stage needs ${needed}: ask Service Quotas for ` +
        "more (AWS Lambda, Concurrent executions), or lower accountConcurrency and reservedConcurrency in infra/stages.ts.",
    ];
  } finally {
    client.destroy();
  }
}

async function checkTrails(region: string): Promise<string[]> {
  const client = new CloudTrailClient({ region });
  try {
    const { trailList = [] } = await client.send(new DescribeTrailsCommand({}));
    if (trailList.length < mostTrails) return [];
    const names = trailList.map(({ Name }) => Name).join(", ");
    return [
      `${region} has ${trailList.length} trails of CloudTrail (${names}), and takes no other: remove one, so that accesses ` +
        "to documents can be logged.",
    ];
  } finally {
    client.destroy();
  }
}

async function checkMail(mailFrom: string, region: string): Promise<Findings> {
  const address = /<(.*)>/.exec(mailFrom)?.[1] ?? mailFrom;
  const client = new SESv2Client({ region });
  try {
    const account = await client.send(new GetAccountCommand({}));
    const names = [address, address.replace(/^.*@/, "")];
    const verified = await Promise.all(names.map((name) => isVerified(client, name)));
    return {
      refusals:
        account.SendingEnabled === false ? [`SES has stopped the account in ${region}: ask AWS Support why.`] : [],
      warnings: [
        ...(verified.includes(true)
          ? []
          : [
              `SES has verified neither ${names.join(" nor ")} in ${region}: until then invitations are not sent. Verify one: makesMailIdentity in infra/stages.ts has the stage make the domain's, whose DKIM records then go into its DNS.`,
            ]),
        ...(account.ProductionAccessEnabled
          ? []
          : [`SES is in its sandbox in ${region} and sends to verified addresses only: ask it for production access.`]),
      ],
    };
  } finally {
    client.destroy();
  }
}

async function isVerified(client: SESv2Client, EmailIdentity: string): Promise<boolean> {
  try {
    return (await client.send(new GetEmailIdentityCommand({ EmailIdentity }))).VerifiedForSendingStatus === true;
  } catch (error) {
    if (error instanceof NotFoundException) return false;
    throw error;
  }
}
