import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, SESv2Client } from "@aws-sdk/client-sesv2";
import { senderOf } from "../../constructs/sender.ts";
import { stackName } from "../../stages/stackName.ts";
import type { CheckedDeployment, Findings } from "../plannedDeployment.ts";
import { resourcesIn } from "../release/stageResources.ts";

/** Reports faults that keep the stage from sending mail, or from creating its SES identity. */
export async function checkMail({ stage, settings, region }: CheckedDeployment): Promise<Findings> {
  const { address, domain } = senderOf(settings.mailFrom);
  const client = new SESv2Client({ region });
  const account = await client.send(new GetAccountCommand({}));
  const [ofAddress, ofDomain] = await Promise.all([address, domain].map((name) => isVerified(client, name)));
  const rejections: string[] = [];
  const warnings: string[] = [];
  if (account.SendingEnabled === false)
    rejections.push(`SES has suspended sending for the account in ${region}: ask AWS Support for the reason.`);
  const makes = settings.aws?.makesMailIdentity === true;
  const isOwn = async () =>
    (await resourcesIn(stackName(stage, "background"), region)).some(
      ({ type, id }) => type === "AWS::SES::EmailIdentity" && id === domain,
    );
  if (makes && ofDomain !== undefined && !(await isOwn())) {
    rejections.push(
      `SES already has the identity ${domain} in ${region}, and this stage did not create it. Remove ` +
        "makesMailIdentity from the stage in infra/stages/stages.ts; the stage then uses the existing identity.",
    );
  }
  if (!ofAddress && !ofDomain) {
    const todo = makes
      ? `Add the DKIM records from the outputs of the deployment to the DNS of ${domain}`
      : "Verify one of them: with makesMailIdentity in infra/stages/stages.ts the stage creates the domain's identity, and you add its DKIM records to the DNS";
    warnings.push(
      `SES has verified neither ${address} nor ${domain} in ${region}: invitations are not sent until one is verified. ${todo}.`,
    );
  }
  if (!account.ProductionAccessEnabled) {
    warnings.push(
      `SES is in its sandbox in ${region} and sends only to verified addresses: request production access from AWS.`,
    );
  }
  return { rejections, warnings };
}

/** Whether SES has verified an identity; undefined if SES has no such identity. */
async function isVerified(client: SESv2Client, EmailIdentity: string): Promise<boolean | undefined> {
  try {
    return (await client.send(new GetEmailIdentityCommand({ EmailIdentity }))).VerifiedForSendingStatus === true;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}
