import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  App,
  type AppProps,
  Aws,
  CrossStackReferences,
  type Environment,
  PermissionsBoundary,
  ReferenceStrength,
  Tags,
  Validations,
} from "aws-cdk-lib";
import type { CloudAssembly } from "aws-cdk-lib/cx-api";
import { AwsSolutionsChecks } from "cdk-nag";
import type { Operation } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { bundle } from "../bundle/bundle.ts";
import { bundleSources, pageSources } from "../bundle/bundleSources.ts";
import { StageError } from "../cli/stageError.ts";
import { recoveryIssues } from "../constructs/replicatedKeys.ts";
import { addressLimitIssues } from "../constructs/requestLimits.ts";
import type { AddedAlarm } from "../monitoring/alarms.ts";
import { boundaryName } from "../permissions/boundary/boundary.ts";
import { ApiStack } from "../stacks/apiStack.ts";
import { BackgroundStack } from "../stacks/backgroundStack.ts";
import { DataStack } from "../stacks/dataStack.ts";
import { MockStack } from "../stacks/mockStack.ts";
import { MonitoringStack } from "../stacks/monitoringStack.ts";
import { RecoveryKeysStack, RecoveryStack } from "../stacks/recoveryStack.ts";
import { WorkersStack } from "../stacks/workersStack.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { releaseName } from "../stages/releaseName.ts";
import { stackName } from "../stages/stackName.ts";
import { stageOperations } from "../stages/stageOperations.ts";
import { type StageName, type StageSettings, stages } from "../stages/stages.ts";
import { firstFolder } from "./release/assembly.ts";
import { settingIssues } from "./settingIssues.ts";

/** Values that only a deployment or a test provides. */
export interface AppOverrides {
  settings?: StageSettings;
  operations?: readonly Operation[];
  /** Whether the stage was never deployed, see `DataStackProps`. The app then has only the stacks with data. */
  isNew?: boolean;
  /** The name of the release; that of this checkout when absent. */
  release?: string;
}

/**
 * Creates the CDK app of a stage.
 *
 * @param bundles directory with the bundles of all its handlers
 */
export function createApp(
  name: StageName,
  bundles: string,
  env: Environment = {},
  props: AppProps = {},
  {
    settings = stages[name],
    operations = operationRegistry,
    isNew = false,
    release = releaseName(),
  }: AppOverrides = {},
): App {
  if (!settings.aws) throw new Error(`Stage ${name} is not a stage on AWS`);
  const stage: DeployedStage = { name, settings, aws: settings.aws, release, bundles };
  // The CDK reports no usage analytics about this app to AWS. Templates have a limit of 1 MB, and indentation is a third.
  const app = new App({
    analyticsReporting: false,
    context: { "@aws-cdk/core:suppressTemplateIndentation": true },
    ...props,
  });
  // Stacks pass values to other stacks without imports, so that a stack can change or roll back before the stacks that
  // use its values.
  CrossStackReferences.of(app).consume(ReferenceStrength.WEAK);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  Tags.of(app).add("service", "business-data");
  Tags.of(app).add("stage", name);
  // CloudFormation passes the tags of a stack to its resources. In the templates, it would change each of them.
  Tags.of(app).add("release", release, { includeResourceTypes: ["aws:cdk:stack"] });
  const describe = (part: Parameters<typeof stackName>[1], about: string) => ({
    stackName: stackName(name, part),
    description: `Business Data Access, stage ${name}: ${about}`,
    env,
    permissionsBoundary: PermissionsBoundary.fromName(boundaryName(name, Aws.REGION)),
  });
  if (settings.answers === "examples") {
    new MockStack(app, "Mock", { stage, ...describe("api", "example responses of every operation") });
    return app;
  }
  const { recoveryRegion: region } = settings.aws;
  const alarmsThere: AddedAlarm[] = [];
  if (region) {
    const there = { stage, env: { ...env, region } };
    new RecoveryStack(app, "Recovery", { ...describe("recovery", "copies in the recovery region"), ...there });
    const about = describe("recovery-keys", "keys and alarms of the copies");
    alarmsThere.push(...new RecoveryKeysStack(app, "RecoveryKeys", { ...about, ...there }).alarms.added);
  }
  const data = new DataStack(app, "Data", {
    stage,
    isNew,
    ...describe("data", "table, documents, keys"),
    terminationProtection: !isNew,
  });
  // The release follows, with all stacks.
  if (isNew) return app;
  const monitoring = new MonitoringStack(app, "Monitoring", {
    stage,
    table: data.table,
    documents: data.documents,
    ...describe("monitoring", "alarms, budget"),
  });
  const { alarms } = monitoring;
  const { resources } = new BackgroundStack(app, "Background", {
    ...{ stage, data, alarms },
    ...describe("background", "queues, mail"),
  });
  const api = new ApiStack(app, "Api", {
    ...{ stage, resources, alarms },
    operations: stageOperations(settings, operations),
    ...describe("api", "the API"),
  });
  const workers = new WorkersStack(app, "Workers", {
    ...{ stage, resources, alarms },
    ...describe("workers", "replication, invitations, webhooks, sweepers"),
  });
  // The composite alarm in this stack names the alarms of all stacks in the region.
  workers.addStackDependency(api);
  api.addDashboard([...alarms.added, ...alarmsThere]);
  return app;
}

/**
 * Writes a stage's templates and bundles to a directory, as a CDK cloud assembly.
 *
 * @param env account and region; if absent, the assembly is the same for every account and region
 * @param withFirst whether to write the assembly of a first deployment, too
 * @throws StageError for contradictory settings; Error if a rule of cdk-nag is broken
 */
export async function synthesize(
  name: StageName,
  outdir: string,
  env: Environment = {},
  tried: AppOverrides = {},
  { withFirst = false } = {},
): Promise<CloudAssembly> {
  const settings: StageSettings = tried.settings ?? stages[name];
  const issues = [settingIssues, addressLimitIssues, recoveryIssues].flatMap((issuesOf) => issuesOf(name, settings));
  if (issues.length > 0) throw new StageError(issues.join(" "));
  const bundles = await mkdtemp(join(tmpdir(), "business-data-bundles-"));
  try {
    await bundle(name, stages[name].answers === "service" ? bundleSources : pageSources, bundles);
    const write = (directory: string, how: AppOverrides) =>
      createApp(name, bundles, env, { outdir: directory }, how).synth();
    if (withFirst && settings.answers === "service") write(join(outdir, firstFolder), { ...tried, isNew: true });
    return write(outdir, tried);
  } finally {
    await rm(bundles, { recursive: true, force: true });
  }
}
