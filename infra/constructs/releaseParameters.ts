import { storedFormat } from "../../shared/store/storedFormat.ts";
import type { AwsSettings } from "../stages/stages.ts";

/** The value of an unset parameter: some resources accept no empty text. */
export const none = "none";

/** Parameters of the API's stack with which a release directs calls, see `directTraffic`. */
export const apiParameters = {
  /** The id of the deployment that gets the calls, or `none` for the deployment in the template. */
  live: "LiveDeployment",
  /** The id of the deployment that gets the canary's share, or `none` for the deployment in the template. */
  canary: "CanaryDeployment",
  /** Whether the canary gets its share: `yes` or `no`. */
  open: "CanaryIsOpen",
  /** The releases before the present one, newest first, see `formatReleases`. */
  former: "FormerReleases",
  /** The base of the live deployment, unless that is the deployment in the template; see `describeReleaseBase`. */
  base: "LiveBase",
} as const;

/**
 * Outputs of the API's stack that name the API and its deployments. The workers' stack has only the output `base`.
 */
export const apiOutputs = {
  live: "ReleaseLive",
  own: "ReleaseOwn",
  api: "ReleaseApi",
  /** The base of the live deployment, see `describeReleaseBase`. */
  base: "ReleaseBase",
} as const;

const ownTable = "own table";

/** The state that two releases must share for a canary or a rollback between them: the table, and the format of the stored data. */
export const describeReleaseBase = ({ tableName }: Pick<AwsSettings, "tableName">): string =>
  `${tableName ?? ownTable}, format ${storedFormat}`;

/** Parses the table and the format of a base. `tableName` is undefined for the stage's own table. */
export function parseReleaseBase(base: string): { tableName: string | undefined; format: number } {
  const [table, format] = base.split(", ");
  return { tableName: table === ownTable ? undefined : table, format: Number(format?.replace("format ", "")) };
}

/** The parameter of the stacks with functions that keeps them stopped: `yes` or `no`, see `ifPaused`. */
export const pausedParameter = "Paused";

/** The parameter of the workers' stack with the location of its own template. */
export const workersTemplate = "Template";

/** The name of the alarm that rolls a release back. Each stage has its own alarm of this name. */
export const releaseAlarm = "release-errors";

/** A release that a stage can roll back to. */
export interface Release {
  /** The id of the API's deployment. */
  deployment: string;
  /** The location of the workers' template, `bucket/key`; `none` if there was none. */
  workers: string;
}

/** The number of former releases that a stage can roll back to. The resources of older releases are removed. */
export const maxFormer = 5;

/** Formats releases as one line for `parseReleases`. */
export const formatReleases = (releases: readonly Release[]): string =>
  releases.map(({ deployment, workers }) => `${deployment}:${workers}`).join(" ") || none;

/** Parses a line of releases; an absent line means no releases. */
export const parseReleases = (line: string = none): Release[] =>
  line === none
    ? []
    : line.split(" ").map((each) => {
        const [deployment = "", workers = none] = each.split(":");
        return { deployment, workers };
      });

/** Returns the list of former releases after `next` has replaced `present`. A repeated release changes nothing. */
export const followed = (present: Release, next: Release, former: readonly Release[]): Release[] =>
  isSame(present, next) ? [...former] : [present, ...former].slice(0, maxFormer);

const isSame = (one: Release, other: Release): boolean =>
  one.deployment === other.deployment && one.workers === other.workers;

/** The parameter of the monitoring stack with the threshold of the alarm account-concurrency. */
export const concurrencyThreshold = "ConcurrencyThreshold";

/** The concurrency in use at which an account with this concurrency limit gets an alarm. */
export const concurrencyThresholdOf = (accountConcurrency: number): number => Math.floor(0.8 * accountConcurrency);
