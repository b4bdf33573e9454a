import type { RecordKind } from "../../shared/api/kinds.ts";
import { requestsPerMinute } from "../../shared/api/rateLimitPolicy.ts";

/** All differences between stages (docs/operations/stages.md). Account and region come from the environment. */
export interface StageSettings {
  /**
   * `service`: the full service. `examples`: fixed answers from the operation registry's examples; such a stage has no
   * table, and only the functions of the pages.
   */
  answers: "service" | "examples";
  /** Whether POS data is simulated, or comes from the businesses' own systems. */
  posConnectors: "sandbox" | "real";
  /**
   * POS types with an experimental connector (shared/api/pos/connectorProofs.ts) that the stage offers. Must be empty
   * if the stage simulates its POS systems.
   */
  experimentalConnectors: readonly string[];
  /** Seconds between changes in the simulated POS systems. */
  sandboxTickSeconds: number;
  /** Addresses that replace the addresses of POS systems, by the folder of the connector. Fixed in prod. */
  posAddresses: Readonly<Record<string, string>>;
  /** Seconds between two replications of a kind of records of a CRB, plus or minus 10 %. */
  replicateEverySeconds: Readonly<Record<RecordKind, number>>;
  /**
   * Origins whose pages may call the API from a browser (CORS), in addition to the origin of `appUrl`, such as
   * `https://app.example.com`; `*` for all.
   */
  allowedOrigins: readonly string[];
  /**
   * A list gets an ETag only when this many seconds have passed since its last change: a commit may be late, and an
   * index may lag behind its table.
   */
  etagSettleSeconds: number;
  /**
   * The page that invitations link to: the service's own, `{base_url}/connect`, or an app's own page. The local stage
   * always links to the service's own page, at the port that it listens on.
   */
  appUrl: string;
  /** The sender of mail. SES must have verified the address or its domain. */
  mailFrom: string;
  /** The company that runs the stage, as `/connect`, mails and terms name it. */
  operatorName: string;
  /** The `https` address of the operator's privacy notice, to which `/connect`, mails and terms link. */
  privacyUrl: string;
  /** The terms to which invited users consent, as a path from the project's root (docs/operations/consent-terms.md). */
  termsFile: string;
  /**
   * What the stage changes of the rules that sales are checked against, as a path from the project's root
   * (docs/operations/sale-rules.md); nothing if absent.
   */
  saleRulesFile?: string;
  /** The contact for businesses and for reports of vulnerabilities, and the default primary contact of a new CRB. */
  supportEmail: string;
  /**
   * Days from the end of an association until its CRB's data is due for purging. The operator purges it; the service
   * never does.
   */
  retentionDays: number;
  /** The maximum age of credentials in days, and the age at which they expire by default; no maximum if absent. */
  maxCredentialDays?: number;
  aws?: AwsSettings;
}

/** Settings of a stage on AWS only. */
export interface AwsSettings {
  /** Retention of logs in days. */
  logDays: 7 | 30 | 90 | 365;
  /**
   * Retention of the access log in days. No user can delete it earlier, so its bucket outlives a removed stage. 0 for a
   * stage without operations (docs/operations/access-log.md).
   */
  accessLogDays: number;
  /** The throttle of the whole stage: requests a second, and the burst. */
  throttle: { rate: number; burst: number };
  /** Requests a minute with one `Authorization` value (docs/spec.md#limits-in-front-of-the-service). */
  requestsPerCredential: number;
  /**
   * Token exchanges, and requests for invitation links, in five minutes from one source address
   * (docs/spec.md#limits-in-front-of-the-service).
   */
  tokenExchangesPerAddress: number;
  /** Requests a minute from one source address with a missing or malformed `Authorization`. */
  requestsWithoutCredentialPerAddress: number;
  /**
   * Requests a minute from one source address, with any credentials. At most a quarter of `throttle`, so that no
   * address can use up the throttle of all callers (docs/decisions/requests-per-address.md).
   */
  requestsPerAddress: number;
  /**
   * The maximum number of concurrent instances of the function behind each queue. `npm run costs` computes how many
   * businesses `replication` can serve. `retries` are runs of businesses whose last run failed. `restorations` decides how
   * many hours a restore takes (docs/operations/restore.md#duration).
   */
  workers: Record<
    "replication" | "retries" | "restorations" | "invitations" | "webhooks" | "exports" | "statements",
    number
  >;
  /**
   * Reserved concurrency of single functions: each named worker reserves its number in the setting `workers` above
   * (`replication` with `retries`), and each function that reads pages reserves `page` instances. A reservation is also a
   * maximum. So no function takes the table's capacity from other functions, and slow webhook receivers do not occupy all
   * instances.
   */
  reservedConcurrency: { workers?: readonly ("replication" | "webhooks")[]; page?: number };
  /**
   * The minimum concurrency limit that the account needs for this stage, including `reservedConcurrency`, without the
   * reservations of functions outside the stage. `deploy` rejects an account with a lower limit.
   */
  accountConcurrency: number;
  /**
   * The share of calls, in percent, that a new release of the API gets at first, and for how many minutes. When absent,
   * a release gets all calls at once (docs/operations/releases.md).
   */
  canary?: { percent: number; minutes: number };
  /** Whether table and bucket use a KMS key of the account instead of AWS's own keys. */
  customerManagedKey: boolean;
  /**
   * The region with copies of the table on six days a month and its changes each hour, nightly copies of documents, a
   * continuous copy of the journal, and replicas of the keys
   * (docs/operations/lost-region.md). Needs `customerManagedKey`, whose replica encrypts the copies. Keys that were
   * created without a recovery region cannot get replicas later.
   */
  recoveryRegion?: string;
  /**
   * ARNs of the replicas that replace a stage's own keys and secrets after a recovery in another region
   * (docs/operations/lost-region.md).
   */
  recovered?: { sealingKey: string; serviceKey: string; addressKey: string; partnerKeys?: string };
  /** A restored table, which the functions use in place of the stage's own (docs/operations/restore.md). */
  tableName?: string;
  /**
   * The API's custom domain name, with its ACM certificate in the same region. API Gateway's own address answers until
   * `only` is set. Set `only` once DNS points to the name and callers use it.
   */
  domain?: { name: string; certificateArn: string; only?: boolean };
  /**
   * Whether the stage creates the SES identity for the domain of `mailFrom`, with DKIM
   * (docs/operations/first-deployment.md). Absent if the identity exists already, because a person or another stage in
   * this account and region created it.
   */
  makesMailIdentity?: boolean;
  /** The URL of the published docs/operations/alarms.md. Alarms and the dashboard link to its sections. */
  runbookUrl?: string;
  /** The stage's monthly budget in dollars, for cost alarms; no budget when absent. */
  monthlyBudget?: number;
  /**
   * Whether to create a monitor for cost anomalies, in addition to the budget. AWS allows a monitor by tag only in the
   * paying account, not in a member account of an organization.
   */
  watchesAnomalies?: boolean;
  /** An address that gets alarms, in addition to other subscribers of the topic. */
  alarmEmail?: string;
}

const minute = 60;
const hour = 60 * minute;

const onAws = {
  answers: "service",
  experimentalConnectors: [],
  sandboxTickSeconds: 15 * minute,
  posAddresses: {},
  replicateEverySeconds: {
    location: hour,
    product: 30 * minute,
    customer: 15 * minute,
    inventory: 15 * minute,
    sale: 5 * minute,
  },
  allowedOrigins: [],
  etagSettleSeconds: 90,
  termsFile: "infra/stages/terms.md",
  retentionDays: 30,
  maxCredentialDays: 365,
} as const;

type Concurrency = Pick<AwsSettings, "workers" | "reservedConcurrency" | "accountConcurrency">;

/** The concurrency of a stage on AWS, by its size. */
export const concurrency = {
  /**
   * Up to 50 businesses, in any account: a new account has ten concurrent executions, and Lambda then allows no
   * reservation. A queue has at least two workers.
   */
  small: {
    workers: { replication: 2, retries: 2, restorations: 2, invitations: 2, webhooks: 2, exports: 2, statements: 2 },
    reservedConcurrency: {},
    accountConcurrency: 10,
  },
  /** Up to 25,000 businesses, in an account with 2,000 concurrent executions. */
  large: {
    workers: {
      replication: 64,
      retries: 8,
      restorations: 24,
      invitations: 2,
      webhooks: 100,
      exports: 4,
      statements: 4,
    },
    reservedConcurrency: { workers: ["replication", "webhooks"], page: 40 },
    accountConcurrency: 2_000,
  },
} as const satisfies Record<string, Concurrency>;

export const stages = {
  local: {
    answers: "service",
    posConnectors: "sandbox",
    experimentalConnectors: [],
    sandboxTickSeconds: 15,
    posAddresses: {},
    replicateEverySeconds: { location: minute, product: minute, customer: minute, inventory: minute, sale: minute },
    allowedOrigins: ["*"],
    etagSettleSeconds: 0,
    appUrl: "https://app.example.com/connect",
    mailFrom: "Business Data Access <no-reply@example.com>",
    operatorName: "Business Data Access (local)",
    privacyUrl: "https://app.example.com/privacy",
    termsFile: "infra/stages/terms.md",
    supportEmail: "support@example.com",
    retentionDays: 30,
  },
  mock: {
    ...onAws,
    answers: "examples",
    posConnectors: "sandbox",
    allowedOrigins: ["*"],
    appUrl: "https://mock.app.example.com/connect",
    mailFrom: "Business Data Access <no-reply@example.com>",
    operatorName: "Business Data Access Mock",
    privacyUrl: "https://mock.app.example.com/privacy",
    supportEmail: "support@example.com",
    aws: {
      logDays: 7,
      accessLogDays: 0,
      throttle: { rate: 50, burst: 100 },
      requestsPerCredential: requestsPerMinute,
      tokenExchangesPerAddress: 300,
      requestsWithoutCredentialPerAddress: 600,
      requestsPerAddress: 750,
      workers: { replication: 0, retries: 0, restorations: 0, invitations: 0, webhooks: 0, exports: 0, statements: 0 },
      reservedConcurrency: {},
      accountConcurrency: 10,
      customerManagedKey: false,
    },
  },
  sandbox: {
    ...onAws,
    posConnectors: "sandbox",
    appUrl: "https://sandbox.app.example.com/connect",
    mailFrom: "Business Data Access Sandbox <no-reply@example.com>",
    operatorName: "Business Data Access Sandbox",
    privacyUrl: "https://sandbox.app.example.com/privacy",
    supportEmail: "support@example.com",
    aws: {
      logDays: 30,
      accessLogDays: 30,
      throttle: { rate: 100, burst: 200 },
      requestsPerCredential: requestsPerMinute,
      tokenExchangesPerAddress: 300,
      requestsWithoutCredentialPerAddress: 600,
      requestsPerAddress: 1_500,
      ...concurrency.small,
      customerManagedKey: false,
      monthlyBudget: 60,
    },
  },
  prod: {
    ...onAws,
    posConnectors: "real",
    // Five years, as long as US banks keep records about former customers (31 CFR 1010.430).
    retentionDays: 1825,
    appUrl: "https://app.example.com/connect",
    mailFrom: "Business Data Access <no-reply@example.com>",
    operatorName: "Example, Inc.",
    privacyUrl: "https://app.example.com/privacy",
    supportEmail: "support@example.com",
    aws: {
      logDays: 365,
      // Five years, leap days included: the retention for records of access to customer data.
      accessLogDays: 1827,
      throttle: { rate: 500, burst: 1000 },
      requestsPerCredential: requestsPerMinute,
      tokenExchangesPerAddress: 300,
      requestsWithoutCredentialPerAddress: 600,
      requestsPerAddress: 7_500,
      ...concurrency.large,
      canary: { percent: 10, minutes: 10 },
      customerManagedKey: true,
      recoveryRegion: "us-east-2",
      monthlyBudget: 300,
    },
  },
} satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;

/** All stages except the local stage. */
export const deployedStages = (Object.keys(stages) as StageName[]).filter((name) => "aws" in stages[name]);

/**
 * The origins whose pages may call a stage and use its upload links. The page that invitations link to is one of them:
 * it sends large files directly to the bucket.
 */
export function originsOf({ allowedOrigins, appUrl }: Pick<StageSettings, "allowedOrigins" | "appUrl">): string[] {
  if (allowedOrigins.includes("*")) return [...allowedOrigins];
  return [...new Set([...allowedOrigins, new URL(appUrl).origin])];
}

/** A stage's settings as environment variables for functions, the same on one machine and on AWS. */
export function settingsEnvironment(name: StageName): Record<string, string> {
  const stage: StageSettings = stages[name];
  return {
    STAGE: name,
    POS_CONNECTORS: stage.posConnectors,
    ...(stage.experimentalConnectors.length > 0 && { EXPERIMENTAL_CONNECTORS: stage.experimentalConnectors.join(",") }),
    SANDBOX_TICK_SECONDS: String(stage.sandboxTickSeconds),
    ...Object.fromEntries(
      Object.entries(stage.posAddresses).map(([pos, address]) => [`POS_${pos.toUpperCase()}_URL`, address]),
    ),
    REPLICATE_EVERY_SECONDS: JSON.stringify(stage.replicateEverySeconds),
    ALLOWED_ORIGINS: originsOf(stage).join(","),
    ETAG_SETTLE_SECONDS: String(stage.etagSettleSeconds),
    APP_URL: stage.appUrl,
    MAIL_FROM: stage.mailFrom,
    OPERATOR_NAME: stage.operatorName,
    PRIVACY_URL: stage.privacyUrl,
    TERMS_FILE: stage.termsFile,
    SUPPORT_EMAIL: stage.supportEmail,
    RETENTION_DAYS: String(stage.retentionDays),
    ...(stage.maxCredentialDays !== undefined && { MAX_CREDENTIAL_DAYS: String(stage.maxCredentialDays) }),
  };
}
