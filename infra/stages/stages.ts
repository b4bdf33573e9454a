import type { RecordKind } from "../../shared/api/kinds.ts";

/** Everything in which stages differ (docs/operations.md, "Stages"). Account and region come from the environment. */
export interface StageSettings {
  /** A service, or fixed answers from the operation registry's examples: no table, and the functions of the two pages alone. */
  answers: "service" | "examples";
  /** Where POS data comes from: simulated systems, or those of the businesses. */
  posConnectors: "sandbox" | "real";
  /**
   * POS types with an experimental connector (shared/api/pos/connectorProofs.ts) that the stage offers. Must be empty if
   * the stage simulates its POS systems.
   */
  experimentalConnectors: readonly string[];
  /** Seconds after which the simulated POS systems have something new. */
  sandboxTickSeconds: number;
  /** Where a POS is to be reached instead of at its own address, by the name of its connector's folder; fixed in prod. */
  posAddresses: Readonly<Record<string, string>>;
  /** Seconds from one replication of a kind of records of a CRB to the next, give or take a tenth. */
  replicateEverySeconds: Readonly<Record<RecordKind, number>>;
  /** Origins whose pages may call the API in a browser (CORS) beside that of `appUrl`, such as `https://app.example.com`; `*` for all. */
  allowedOrigins: readonly string[];
  /** A list that changed less than so many seconds ago has no ETag: a commit may be late, and an index lag behind its table. */
  etagSettleSeconds: number;
  /**
   * The page that invitations lead to: the service's own, `{base_url}/connect`, or an app of its own kind. On the local
   * stage it is the service's own wherever that answers.
   */
  appUrl: string;
  /** Who sends mail; the address or its domain must be verified in SES. */
  mailFrom: string;
  /** Whom a business may write to; its primary contact where a creation names none. */
  supportEmail: string;
  /** Days from the end of an association to when its CRB's data is due to be purged; nothing is purged by itself. */
  retentionDays: number;
  /** What only a stage on AWS has. */
  aws?: AwsSettings;
}

/** What only a stage on AWS has. */
export interface AwsSettings {
  /** Days that logs are kept. */
  logDays: 7 | 30 | 90 | 365;
  /**
   * Days that the access log is kept. Until then no user can delete it, so that its bucket outlives a removed stage; 0 for
   * a stage without operations (docs/operations.md, "The access log").
   */
  accessLogDays: number;
  /** The ceiling of the whole stage: requests a second, and how many may come at once. */
  throttle: { rate: number; burst: number };
  /** Requests a minute with one `Authorization` value (docs/spec.md#limits-in-front-of-the-service). */
  requestsPerCredential: number;
  /** Token exchanges, and requests for links of invitations, in five minutes from one source address (docs/spec.md#limits-in-front-of-the-service). */
  tokenExchangesPerAddress: number;
  /** Requests a minute from one source address whose `Authorization` is missing or cannot be a credential. */
  requestsWithoutCredentialPerAddress: number;
  /**
   * Requests a minute from one source address, whatever their credentials. At most a quarter of `throttle`, so that no
   * address can use up the throttle of all callers (docs/decisions/requests-per-address.md).
   */
  requestsPerAddress: number;
  /**
   * How many instances of the function behind a queue run at once, at most. `npm run costs` computes how many businesses
   * `replication` is enough for.
   */
  workers: { replication: number; invitations: number; webhooks: number };
  /**
   * Concurrency of the account that is reserved for single functions: for the workers that are named here what `workers`
   * says, and for each function that reads pages `page` instances, which it cannot exceed. So no function takes the table
   * from the others, and receivers that hang do not take all instances.
   */
  reservedConcurrency: { workers?: readonly ("replication" | "webhooks")[]; page?: number };
  /**
   * How many functions the account must be able to run at once for this stage, those of `reservedConcurrency` included
   * and what is reserved for others not: `deploy` refuses an account that has less.
   */
  accountConcurrency: number;
  /**
   * The share of the calls, in percent, that a release of the API has at first, and for how many minutes; all of them at
   * once when absent (docs/operations.md, "Releases").
   */
  canary?: { percent: number; minutes: number };
  /** A key of the account's own for table and bucket, instead of AWS's. */
  customerManagedKey: boolean;
  /**
   * Another region, into which table and documents are copied each night, and the journal at once, and whose keys open
   * them (docs/operations.md, "A lost region"). Keys that exist without it cannot be had there later.
   */
  recoveryRegion?: string;
  /**
   * The replicas that a stage uses instead of keys and secrets of its own when it was brought up in another region, by their
   * ARNs (docs/operations.md, "A lost region").
   */
  recovered?: { sealingKey: string; serviceKey: string; addressKey: string; partnerKeys?: string };
  /** The table that the functions work on instead of the stage's own: one that was restored (docs/operations.md). */
  tableName?: string;
  /** No function runs: calls are answered 503, queues and schedules stand still (docs/operations.md). */
  paused?: boolean;
  /**
   * The API's own name, with the certificate (ACM, in the same region) that is good for it. The address of API Gateway
   * goes on answering until `only` is set, which is done once DNS leads to the name and callers use it.
   */
  domain?: { name: string; certificateArn: string; only?: boolean };
  /**
   * Whether the stage has SES's identity for the domain of `mailFrom` made, with DKIM (docs/operations.md). Absent where
   * it is there already, by hand or as another stage's of this account and region.
   */
  makesMailIdentity?: boolean;
  /** Where people read docs/operations.md, as a page with anchors: alarms and the dashboard link to its paragraphs. */
  runbookUrl?: string;
  /** Dollars a month that the stage may cost before its alarms tell of it; no budget when absent. */
  monthlyBudget?: number;
  /**
   * Whether a monitor of cost anomalies tells of what the budget does not. AWS lets only the account that pays have one that
   * counts by a tag: not a member of an organization.
   */
  watchesAnomalies?: boolean;
  /** Who is told of alarms, beside whoever else subscribes to the topic. */
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
  retentionDays: 30,
} as const;

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
    supportEmail: "support@example.com",
    aws: {
      logDays: 7,
      accessLogDays: 0,
      throttle: { rate: 50, burst: 100 },
      requestsPerCredential: 600,
      tokenExchangesPerAddress: 300,
      requestsWithoutCredentialPerAddress: 600,
      requestsPerAddress: 750,
      workers: { replication: 0, invitations: 0, webhooks: 0 },
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
    supportEmail: "support@example.com",
    aws: {
      logDays: 30,
      accessLogDays: 30,
      throttle: { rate: 100, burst: 200 },
      requestsPerCredential: 600,
      tokenExchangesPerAddress: 300,
      requestsWithoutCredentialPerAddress: 600,
      requestsPerAddress: 1_500,
      workers: { replication: 5, invitations: 2, webhooks: 20 },
      reservedConcurrency: {},
      accountConcurrency: 100,
      customerManagedKey: false,
      monthlyBudget: 60,
    },
  },
  prod: {
    ...onAws,
    posConnectors: "real",
    // Five years, as long as a bank in the United States keeps what it knows of a customer who has left (31 CFR 1010.430).
    retentionDays: 1825,
    appUrl: "https://app.example.com/connect",
    mailFrom: "Business Data Access <no-reply@example.com>",
    supportEmail: "support@example.com",
    aws: {
      logDays: 365,
      // Five years, leap days included: the retention of records of who has read a customer's data.
      accessLogDays: 1827,
      throttle: { rate: 500, burst: 1000 },
      requestsPerCredential: 600,
      tokenExchangesPerAddress: 300,
      requestsWithoutCredentialPerAddress: 600,
      requestsPerAddress: 7_500,
      workers: { replication: 64, invitations: 2, webhooks: 100 },
      reservedConcurrency: { workers: ["replication", "webhooks"], page: 40 },
      accountConcurrency: 2_000,
      canary: { percent: 10, minutes: 10 },
      customerManagedKey: true,
      recoveryRegion: "us-east-2",
      monthlyBudget: 300,
    },
  },
} satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;

/** Stages that can be deployed: all but the local one. */
export const deployedStages = (Object.keys(stages) as StageName[]).filter((name) => "aws" in stages[name]);

/**
 * The origins whose pages may call a stage and its upload links: also that of the page that invitations lead to, which
 * sends large files to the bucket itself.
 */
export function originsOf({ allowedOrigins, appUrl }: Pick<StageSettings, "allowedOrigins" | "appUrl">): string[] {
  if (allowedOrigins.includes("*")) return [...allowedOrigins];
  return [...new Set([...allowedOrigins, new URL(appUrl).origin])];
}

/** The environment variables by which functions learn a stage's settings, the same on one machine and on AWS. */
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
    SUPPORT_EMAIL: stage.supportEmail,
    RETENTION_DAYS: String(stage.retentionDays),
  };
}
