import { workQueues } from "../../../infra/stages/workQueue.ts";

/** A command of the runbook, and how the tests run it on the emulator. */
export interface Step {
  /** The beginning of the command, which no other one has. */
  command: string;
  /** The values that the operator fills in first: each placeholder with its shell text. */
  filled?: Readonly<Record<string, string>>;
  /** A line that the emulator cannot run, with the reason. */
  without?: { line: RegExp; why: string };
  /** Exit code; 0 when absent. */
  code?: number;
  prints: RegExp;
}

/** Confirms a command in place of the operator. */
const yes = (command: string) => ({ [command]: `${command} --yes` });

/** The line after all queues were connected with their functions, or disconnected. */
function allMappings(done: "Enabled" | "Disabled"): RegExp {
  const all = Object.keys(workQueues).length;
  return new RegExp(`${done} ${all} of ${all} event source mappings`);
}

/** From an empty account to a stage, with its first trial. */
export const firstDeployment: readonly Step[] = [
  {
    command: "npm run pipeline -- --stage prod",
    filled: { "OWNER/NAME": "acme/data --no-provider --yes" },
    prints: /PolicyArns +arn:aws:iam::\d+:policy\/pipeline-of-business-data/,
  },
  {
    command: "npm run bootstrap -- --stage prod --execution-policy",
    filled: { POLICY_ARNS: "arn:aws:iam::000000000000:policy/x" },
    prints: /Environment aws:\/\/\d+\/us-east-1 bootstrapped/,
  },
  {
    command: "npm run bootstrap -- --stage prod",
    prints: /Environment aws:\/\/\d+\/us-east-1 (bootstrapped|no changes)/,
  },
  {
    command: "npm run deploy -- --stage prod",
    filled: yes("--stage prod"),
    prints: /For the operator's programs: set -a; \. \.deployed/,
  },
  // For an unknown stack, the emulator's error differs from AWS's, and the CDK takes it for a failure. Placeholders
  // are named after the time of their creation, so stacks differ.
  { command: "npm run diff -- --stage prod", prints: /Number of stacks with differences: \d/ },
  { command: "npm run smoke -- --help", prints: /Tests a stage from the outside/ },
];

/** Commands that can run concurrently: the templates need no stage, and a trial mostly waits. */
export const trial: readonly Step[] = [
  {
    command: "npm run smoke -- --stage prod",
    // The emulator compresses nothing and does not report cold starts.
    code: 1,
    prints:
      /ok +functions.*\d+ functions; this stage does not report cold starts\nok +calls without a credential .*\nok +tokens .*\nok +rejections .*\ndiffers +a page.*\nok +documents .*\nok +linked licenses .*\nok +a mail .*\nok +replication .*\nok +export to files .*\nok +an alarm .*\n\n.*Content-Encoding.*\n +expected +gzip\n +seen +none\n\nRemoving the data of this run, .* …\n(?: {2}removed CRB \d of \d\n)+1 response differs/,
  },
  {
    command: "npm run synth -- --stage prod --output DIR",
    filled: { DIR: "templates" },
    prints: /Stage sandbox is in /,
  },
  { command: "npm run synth -- --stage prod --output before", prints: /Stage sandbox is in / },
  {
    command: "npm run synth -- --stage staging",
    filled: { DIR: "staging" },
    prints: /Stage staging is in .*business-data-staging-api/,
  },
];

/** The first service provider, and the subscribers of alarms. */
export const firstProvider: readonly Step[] = [
  {
    command: "aws sns subscribe --topic-arn",
    filled: { "email …": "email --notification-endpoint ops@example.org" },
    prints: /SubscriptionArn/,
  },
  { command: "set -a; . .deployed/prod.env; set +a\naws secretsmanager", prints: /"VersionId"/ },
  {
    command: "set -a; . .deployed/prod.env; set +a\nnpm run operator -- --stage prod service-provider",
    filled: { SP_ID: `"$(npm run -s operator -- --stage prod service-provider list | awk 'NR == 2 { print $1 }')"` },
    prints: /sp_id +\S{36}\n[\s\S]*client_secret +sk_/,
  },
];

const ownKey = "the sandbox has no key of its own";
const restored = { $TABLE_NAME: "$RESTORED" };

/** With a service provider, its credential, a business and a webhook endpoint. */
export const operation: readonly Step[] = [
  {
    command: "npm run licenses -- import FILE.csv",
    filled: { "FILE.csv": "register.csv" },
    prints: /1 imported \(1 new/,
  },
  { command: "npm run operator -- --stage prod licenses lapsed", prints: /All linked licenses are active/ },
  { command: "npm run operator -- --stage prod webhooks deliveries", prints: /./ },
  { command: "npm run operator -- --stage prod replication list", prints: /\S{36}/ },
  { command: "npm run operator -- --stage prod replication state", prints: /customer/ },
  { command: "npm run operator -- --stage prod replication start CRB_ID --full", prints: /./ },
  { command: "npm run operator -- --stage prod replication start CRB_ID", prints: /./ },
  { command: "npm run -s operator -- --stage prod replication list |", prints: /./ },
  { command: "npm run operator -- --stage prod invitation resend", prints: /./ },
  {
    command: "npm run operator -- --stage prod pos reconnect",
    filled: { "FILE.json": "credentials.json" },
    prints: /./,
  },
  // The delivery stream is a placeholder, so the bucket stays empty.
  // test/infra/tools/operator/leakedCredential.long.test.ts runs the same step on a stage with an access log.
  { command: "npm run operator -- --stage prod access-log --client", prints: /The access log has no matching request/ },
  {
    command: "npm run operator -- --stage prod credential issue",
    filled: { CLIENT_ID: `"$CLIENT_ID" --yes` },
    prints: /client_secret +sk_[\s\S]*Revoked credential/,
  },
  {
    command: "npm run operator -- --stage prod association pause",
    filled: yes("pause"),
    prints: /-> bank_disconnected/,
  },
  { command: "npm run operator -- --stage prod crb due", prints: /Nothing is due/ },
  { command: "npm run operator -- --stage prod crb purge", code: 1, prints: /run association end first/ },
  {
    command: "RESTORED=business-data-prod-",
    without: { line: /--sse-specification-override/, why: ownKey },
    prints: /ACTIVE/,
  },
  { command: "aws dynamodb update-continuous-backups", prints: /"DeletionProtectionEnabled": true/ },
  {
    command: "npm run operator -- --stage prod lists rebuild CRB_ID",
    filled: yes("rebuild"),
    prints: /Rebuilt \d+ lists\. None differed/,
  },
  // The stage uses its own table, not the restored one. So these steps close and restore the businesses of its own.
  {
    command: "TABLE_NAME=$RESTORED npm run operator -- --stage prod lists restore",
    filled: { ...yes("restore"), $RESTORED: "$TABLE_NAME" },
    prints: /Closed \d+ CRBs, and rebuilt the lists of service providers/,
  },
  {
    command: "TABLE_NAME=$RESTORED npm run operator -- --stage prod journal replay",
    filled: { ...yes("replay"), $RESTORED: "$TABLE_NAME" },
    prints: /Repeated: \d+ of \d+/,
  },
  {
    command: "npm run resume -- --stage prod\nnpm run operator -- --stage prod lists restore",
    prints: /Requested the restoration of \d+ closed CRBs/,
  },
  {
    command: "until npm run operator -- --stage prod lists progress",
    filled: { "sleep 60": "sleep 5" },
    prints: /Open: (\d+) of \1 CRBs\. Closed: 0/,
  },
  { command: "npm run operator -- --stage prod lists restore CRB_ID", prints: /is not closed/ },
  { command: "npm run operator -- --stage prod lists check", prints: /\d+ lists agree with their records/ },
  { command: "aws dynamodb scan", prints: /CRB#/ },
  { command: "present=$(aws dynamodb get-item", prints: /^/ },
  {
    command: 'aws dynamodb update-table --table-name "$TABLE_NAME" \\\n  --attribute-definitions',
    filled: restored,
    prints: /"IndexName": "NAME"/,
  },
  {
    command: "aws dynamodb update-table --table-name OLD",
    filled: { OLD: "$RESTORED" },
    prints: /DELETING|TableDescription/,
  },
  // The emulator makes no copies.
  { command: "aws backup list-backup-jobs", prints: /^/ },
  { command: "aws s3api list-objects-v2", prints: /^None journal\/\w+\/20/m },
  {
    command: "aws s3 cp",
    filled: {
      KEY: '$(aws s3api list-objects-v2 --bucket "$DOCUMENTS_BUCKET" --prefix journal/ --query "Contents[0].Key" --output text)',
    },
    prints: /copy: s3:\S+\/journal\/\w+\/20/,
  },
  { command: "aws acm request-certificate", prints: /CertificateArn/ },
  { command: "export AWS_REGION=us-east-2 LOST", prints: /^/ },
  { command: "npm run pause -- --stage prod\nnpm", prints: /Stage sandbox is paused\.[\s\S]*Stage sandbox runs\./ },
  { command: "npm run pause -- --stage prod", prints: allMappings("Disabled") },
  { command: "npm run resume -- --stage prod", prints: allMappings("Enabled") },
  { command: "AWS_REGION=$LOST npm run pause", filled: { $LOST: "us-east-1" }, prints: allMappings("Disabled") },
];

/** Steps that remove a stage. */
export const removal: readonly Step[] = [
  {
    command: "npm run operator -- --stage prod credential revoke CLIENT_ID",
    filled: { CLIENT_ID: `"$SECOND_CLIENT_ID" --yes` },
    prints: /Revoked credential/,
  },
  {
    command: "set -a; . .deployed/prod.env; set +a\naws cloudformation list-stack-resources",
    prints: /AWS::DynamoDB::Table\s+business-data-sandbox/,
  },
  { command: "aws cloudformation update-termination-protection", prints: /^/ },
  { command: 'aws dynamodb update-table --table-name "$TABLE_NAME" --no-deletion-protection', prints: /./ },
  // With a nested stack, the emulator also removes the resources that its template retains. A small stage keeps some
  // (test/system/emulated/release.emulated.test.ts).
  { command: "npm run tidy -- --stage prod", prints: /There is nothing to remove\./ },
];

const lostRegion = "the emulator keeps no recovery points and restores none, and has no replicas of secrets and stacks";
const mfa = "the emulator checks no MFA, and the AWS CLI requests its code in a terminal";
const otherRegion = "the sandbox has no other region";

/** Commands that the tests do not run, by their beginnings, with the reasons. */
export const leftOut: Readonly<Record<string, string>> = {
  'eval "$(aws configure export-credentials': mfa,
  "aws dynamodb update-table --table-name $RESTORED \\\n  --sse-specification": ownKey,
  "npm run stage-env -- --stage prod": "test/infra/deploy/stageEnvironment.test.ts runs it",
  "npm run deploy -- --stage prod --paused":
    "test/infra/deploy/preflight/preflight.test.ts begins it; the emulator walks through pauses of a stage that runs",
  "set -a; . .deployed/prod.env; set +a\ncurl":
    "the name of the gateway does not resolve here; the smoke test calls it",
  "npm run deploy -- --stage prod --assembly DIR":
    "deploy synthesizes into a directory and deploys that; test/infra/deploy/preflight/preflight.test.ts runs it with a given one",
  "gh run download":
    "it needs a repository on GitHub; test/infra/pipeline/workflow.test.ts runs the commands that make the files",
  "npm run operator -- --stage prod access-log --letters":
    "it needs a revoked credential and an access log; test/infra/tools/operator/leakedCredential.long.test.ts runs it",
  "aws kms rotate-key-on-demand": "the emulator does not know it",
  "npm run operator -- --stage prod dead-letters list\nnpm":
    "the addresses of its queues lead to AWS, not to the emulator; test/infra/tools/operator/deadLetters.test.ts runs the commands",
  "aws cloudformation get-template":
    "it comes after a deployment of changed code; what the templates are then is held by test/infra/cdk/describeRestored.ts",
  "for region in ": lostRegion,
  "aws dynamodb list-exports": "the emulator knows no exports of tables",
  'aws s3 ls "s3://business-data-prod-changes': otherRegion,
  "aws sns subscribe --region": otherRegion,
  'aws sns subscribe --topic-arn "$PAGER_TOPIC" --protocol https': "it needs the address of a pager",
  "for part in recovery-keys": otherRegion,
  "aws kms schedule-key-deletion --region": otherRegion,
  "aws secretsmanager remove-regions-from-replication": otherRegion,
  "npm run bootstrap -- --stage prod\nnpm run deploy": lostRegion,
  "npm run bench -- cold": "it measures bundles on this machine, without a stage",
  "npm run rollback -- --stage prod": "test/system/emulated/release.emulated.test.ts runs what it runs",
  "npm run operator -- --stage prod lists rebuild all --keep-watermark\nnpm":
    "it comes after a release that adds totals; test/infra/tools/operator/listCommands.long.test.ts runs it on lists without them",
  "npm run operator -- --stage prod lists restore\nnpm":
    "it comes after a lost region; the walk through a restore runs the same commands",
  "aws backup list-recovery-points-by-backup-vault": lostRegion,
  "aws backup start-restore-job --recovery-point-arn TABLE_POINT": lostRegion,
  "aws backup start-restore-job --recovery-point-arn BUCKET_POINT": lostRegion,
  "aws secretsmanager stop-replication-to-replica": lostRegion,
  'aws s3 cp --recursive "s3://$ACCESS_LOG_BUCKET/trail': "the emulator has no CloudTrail",
  'aws s3 rb "s3': "a bucket can be deleted two days after its objects have begun to expire",
};

/** The beginning that matches a command: the longest one, since one beginning may start with another. */
export const meantBy = (command: string, beginnings: readonly string[]): string | undefined =>
  beginnings.filter((each) => command.startsWith(each)).sort((a, b) => b.length - a.length)[0];

/** The beginnings of all commands that tests run or leave out. */
export const beginnings: readonly string[] = [
  ...[...firstDeployment, ...trial, ...firstProvider, ...operation, ...removal].map(({ command }) => command),
  ...Object.keys(leftOut),
];
