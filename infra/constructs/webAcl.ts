import { ArnFormat, Aws, Fn, Stack } from "aws-cdk-lib";
import type { Stage } from "aws-cdk-lib/aws-apigateway";
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { ServiceError, toErrorResponse } from "../../shared/api/errors.ts";
import { securityHeaders } from "../../shared/api/securityHeaders.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { createLogGroup } from "./logGroup.ts";
import { countedPaths, credentialForm, retryAfter, windows } from "./requestLimits.ts";

const tooMany = toErrorResponse(new ServiceError("throttled", { retryAfter }));

/** The service's 429 response (docs/spec.md#error-record). The response has no request id, since WAF has none. */
const throttled = {
  block: {
    customResponse: {
      responseCode: tooMany.status,
      customResponseBodyKey: "throttled",
      responseHeaders: Object.entries({ ...tooMany.headers, "Cache-Control": "no-store", ...securityHeaders }).map(
        ([name, value]) => ({ name, value }),
      ),
    },
  },
};

/**
 * AWS rules that would reject requests that the specification allows. WAF only counts their matches.
 *
 * Bodies: base64 text occasionally matches a rule, such as the one for serialized objects, and one rule rejects every
 * body above 8 KB. Queries and paths: a name of 255 non-ASCII letters exceeds a rule's limit, a name may look like a
 * file name or markup, and an unknown route or method must get a 404.
 *
 * No function reads a file or fetches an address that a caller names, or renders a caller's markup. The functions
 * validate every field.
 */
const countedRules = {
  AWSManagedRulesCommonRuleSet: [
    ...["SizeRestrictions_BODY", "SizeRestrictions_QUERYSTRING", "SizeRestrictions_URIPATH"],
    ...["CrossSiteScripting_BODY", "CrossSiteScripting_QUERYARGUMENTS", "CrossSiteScripting_URIPATH"],
    ...["GenericLFI_BODY", "GenericLFI_QUERYARGUMENTS", "GenericLFI_URIPATH"],
    ...["GenericRFI_BODY", "GenericRFI_QUERYARGUMENTS", "GenericRFI_URIPATH"],
    ...["EC2MetaDataSSRF_BODY", "EC2MetaDataSSRF_QUERYARGUMENTS", "EC2MetaDataSSRF_URIPATH"],
    ...["RestrictedExtensions_QUERYARGUMENTS", "RestrictedExtensions_URIPATH"],
    // The specification does not require a User-Agent header.
    "NoUserAgent_HEADER",
  ],
  AWSManagedRulesKnownBadInputsRuleSet: [
    ...["JavaDeserializationRCE_BODY", "Log4JRCE_BODY", "ReactJSRCE_BODY"],
    ...["ExploitablePaths_URIPATH", "PROPFIND_METHOD"],
  ],
  AWSManagedRulesAmazonIpReputationList: [],
} as const;

type Rule = Omit<CfnWebACL.RuleProperty, "priority" | "visibilityConfig">;

/** The names under which WAF publishes a stage's metrics, in the dimensions `WebACL` and `Rule`. */
export const metricNames = (stage: DeployedStage) => ({
  webAcl: `business-data-${stage.name}`,
  /** The rules that answer 429. */
  limits: limits(stage).map(({ name }) => name),
  /** The AWS rule groups, which answer 403. */
  rulesOfAws: rulesOfAws().map(({ name }) => name),
});

/**
 * The web ACL of a stage: limits by credential and by address (docs/spec.md#limits-in-front-of-the-service), and AWS
 * rules.
 */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, stage: DeployedStage, api: Stage) {
    super(scope, id);
    const rules = [...limits(stage), ...rulesOfAws()];
    const acl = new CfnWebACL(this, "Acl", {
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      customResponseBodies: { throttled: { contentType: "APPLICATION_JSON", content: tooMany.body } },
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(rule.name) })),
      visibilityConfig: visibility(metricNames(stage).webAcl),
      // Log entries also repeat values where they name the key of a limit or the match of a rule. The protection
      // includes these parts of an entry.
      dataProtectionConfig: {
        dataProtections: [
          { fieldType: "SINGLE_HEADER", fieldKeys: ["authorization"] },
          { fieldType: "QUERY_STRING" },
        ].map((field) => ({
          field,
          action: "SUBSTITUTION",
          excludeRateBasedDetails: false,
          excludeRuleMatchDetails: false,
        })),
      },
    });
    new CfnWebACLAssociation(this, "Association", { webAclArn: acl.attrArn, resourceArn: api.stageArn });
    this.#logRejections(stage, acl);
  }

  /** Logs the rule of each rejected call. The gateway logs the calls that pass. */
  #logRejections(stage: DeployedStage, acl: CfnWebACL): void {
    // WAF requires this name prefix. The end of the stack's id changes when the stack is created again.
    const made = Fn.select(2, Fn.split("/", Aws.STACK_ID));
    const logGroup = createLogGroup(this, "Log", stage.aws, `aws-waf-logs-business-data-${stage.name}-${made}`);
    new CfnLoggingConfiguration(this, "Logging", {
      resourceArn: acl.attrArn,
      // WAF requires the ARN without the usual `:*` at the end.
      logDestinationConfigs: [
        Stack.of(this).formatArn({
          service: "logs",
          resource: "log-group",
          resourceName: logGroup.logGroupName,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ],
      loggingFilter: {
        DefaultBehavior: "DROP",
        Filters: [
          { Behavior: "KEEP", Requirement: "MEETS_ANY", Conditions: [{ ActionCondition: { Action: "BLOCK" } }] },
        ],
      },
      redactedFields: [{ singleHeader: { Name: "authorization" } }, { queryString: {} }],
    });
  }
}

// Requests with one credential are counted together for any letter case of "Bearer", but separately if "Bearer" is
// missing: WAF cannot remove a word from a header. The conversion to lower case merges no credentials, since no two
// credentials differ only in letter case.
const authorizationTransformations = [
  { priority: 0, type: "COMPRESS_WHITE_SPACE" },
  { priority: 1, type: "LOWERCASE" },
];

/** If the header is missing, WAF treats this statement as not matched. */
const hasCredential: CfnWebACL.StatementProperty = {
  regexMatchStatement: {
    fieldToMatch: { singleHeader: { Name: "authorization" } },
    regexString: credentialForm,
    textTransformations: authorizationTransformations,
  },
};

/** Browsers send no credential with a preflight request, and no function answers one. */
const isPreflight: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { method: {} },
    positionalConstraint: "EXACTLY",
    searchString: "OPTIONS",
    textTransformations: [{ priority: 0, type: "NONE" }],
  },
};

/** The rules that answer 429. */
function limits({ aws }: DeployedStage): Rule[] {
  const { requestsPerCredential, tokenExchangesPerAddress } = aws;
  const limit = (name: string, statement: CfnWebACL.RateBasedStatementProperty): Rule => ({
    name,
    action: throttled,
    statement: { rateBasedStatement: statement },
  });
  return [
    limit("requests-per-credential", {
      aggregateKeyType: "CUSTOM_KEYS",
      customKeys: [{ header: { name: "authorization", textTransformations: authorizationTransformations } }],
      evaluationWindowSec: windows.perCredential,
      limit: requestsPerCredential,
    }),
    limit("token-exchanges-per-address", {
      aggregateKeyType: "IP",
      evaluationWindowSec: windows.tokenExchangesPerAddress,
      limit: tokenExchangesPerAddress,
      scopeDownStatement: {
        regexMatchStatement: {
          fieldToMatch: { uriPath: {} },
          regexString: countedPaths,
          // WAF sees the path as sent. The gateway decodes it once before it looks for a route.
          textTransformations: [
            { priority: 0, type: "URL_DECODE" },
            { priority: 1, type: "NORMALIZE_PATH" },
          ],
        },
      },
    }),
    limit("requests-without-credential-per-address", {
      aggregateKeyType: "IP",
      evaluationWindowSec: windows.withoutCredentialPerAddress,
      limit: aws.requestsWithoutCredentialPerAddress,
      scopeDownStatement: {
        notStatement: { statement: { orStatement: { statements: [hasCredential, isPreflight] } } },
      },
    }),
    // The rules above do not limit a caller that sends a new, well-formed credential with each request.
    limit("requests-per-address", {
      aggregateKeyType: "IP",
      evaluationWindowSec: windows.perAddress,
      limit: aws.requestsPerAddress,
    }),
  ];
}

function rulesOfAws(): Rule[] {
  return Object.entries(countedRules).map(([name, counted]) => ({
    name,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: "AWS",
        name,
        ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
  }));
}

/** Sampled requests would hold headers, and with them credentials. */
const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});
