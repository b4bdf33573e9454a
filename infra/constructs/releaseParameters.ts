import type { AwsSettings } from "../stages/stages.ts";

/** What a parameter says that has nothing to say: some resources take no empty text. */
export const none = "none";

/** The parameters of the API's stack by which a release directs calls, see `directTraffic`. */
export const apiParameters = {
  /** The id of the deployment that calls go to, or `none` for the template's own. */
  live: "LiveDeployment",
  /** The id of the deployment that the canary's share of the calls goes to, or `none` for the template's own. */
  canary: "CanaryDeployment",
  /** Whether it has that share: `yes` or `no`. */
  open: "CanaryIsOpen",
  /** The releases before the present one, newest first: see `formatReleases`. */
  former: "FormerReleases",
  /** What the live deployment works on where that is not the template's own: see `groundOf`. */
  ground: "LiveGround",
} as const;

/** The outputs of the API's stack that tell where calls go, and of which API. That of the workers has `ground` alone. */
export const apiOutputs = {
  live: "ReleaseLive",
  own: "ReleaseOwn",
  api: "ReleaseApi",
  /** What the functions work on that have the calls: see `groundOf`. */
  ground: "ReleaseGround",
} as const;

/** What releases must have in common for a stage to go from one back to the other: the table, and whether functions run. */
export const describeReleaseBase = ({ tableName, paused }: Pick<AwsSettings, "tableName" | "paused">): string =>
  `${tableName ?? "own table"}, ${paused ? "paused" : "running"}`;

/** The parameter of the workers' stack that says where its own template is. */
export const workersTemplate = "Template";

/** The alarm that takes a release back; each stage has its own. */
export const releaseAlarm = "release-errors";

/** A release that a stage can go back to. */
export interface Release {
  /** The id of the API's deployment. */
  deployment: string;
  /** The bucket and the key of the template of the workers' stack, `bucket/key`; `none` where there was none. */
  workers: string;
}

/** How many releases before the present one a stage can go back to. What only older ones use is removed. */
export const maxFormer = 5;

/** Releases as one line: what `parseReleases` reads. */
export const formatReleases = (releases: readonly Release[]): string =>
  releases.map(({ deployment, workers }) => `${deployment}:${workers}`).join(" ") || none;

/** Releases of a line; those of none where it is absent. */
export const parseReleases = (line: string = none): Release[] =>
  line === none
    ? []
    : line.split(" ").map((each) => {
        const [deployment = "", workers = none] = each.split(":");
        return { deployment, workers };
      });

/** The releases before, once another one follows the present one; the same one again is no other. */
export const followed = (present: Release, next: Release, former: readonly Release[]): Release[] =>
  isSame(present, next) ? [...former] : [present, ...former].slice(0, maxFormer);

const isSame = (one: Release, other: Release): boolean =>
  one.deployment === other.deployment && one.workers === other.workers;
