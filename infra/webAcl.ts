import type { Stage } from "aws-cdk-lib/aws-apigateway";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { errorAnswer, ServiceError } from "../shared/api/errors.ts";
import { exchangeToken } from "../shared/api/operations/authentication.ts";
import type { DeployedStage } from "./deployedStage.ts";

/** Seconds after which a throttled caller's next try makes sense: WAF counts anew every few seconds. */
const retryAfter = 30;

const tooMany = errorAnswer(new ServiceError("throttled", { retryAfter }));

/** 429 as the service answers it (contract 3). WAF knows no id of the request to put into it. */
const throttled = {
  block: {
    customResponse: {
      responseCode: tooMany.status,
      customResponseBodyKey: "throttled",
      responseHeaders: Object.entries({ ...tooMany.headers, "Cache-Control": "no-store" }).map(([name, value]) => ({
        name,
        value,
      })),
    },
  },
};

/**
 * Rules of AWS that look into bodies. They are counted only: base64 text looks like anything once in a while (one of them
 * looks for the beginning of a serialised object, in base64), and one refuses every body above 8 KB. The functions
 * validate bodies field by field.
 */
const bodyRules = {
  AWSManagedRulesCommonRuleSet: [
    "SizeRestrictions_BODY",
    "CrossSiteScripting_BODY",
    "GenericLFI_BODY",
    "GenericRFI_BODY",
    "EC2MetaDataSSRF_BODY",
    // No caller is obliged to name its program.
    "NoUserAgent_HEADER",
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ["JavaDeserializationRCE_BODY", "Log4JRCE_BODY", "ReactJSRCE_BODY"],
  AWSManagedRulesAmazonIpReputationList: [],
} as const;

/** What stands in front of a stage: limits by credential and by address (contract 12), and rules of AWS. */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, stage: DeployedStage, api: Stage) {
    super(scope, id);
    const { requestsPerCredential, tokenExchangesPerAddress } = stage.aws;
    const rules: Omit<CfnWebACL.RuleProperty, "priority" | "visibilityConfig">[] = [
      {
        name: "requests-per-credential",
        action: throttled,
        statement: {
          rateBasedStatement: {
            aggregateKeyType: "CUSTOM_KEYS",
            customKeys: [
              {
                header: {
                  name: "authorization",
                  // One credential is one however "Bearer" is written. Two that differ in letter case only do not exist.
                  textTransformations: [
                    { priority: 0, type: "COMPRESS_WHITE_SPACE" },
                    { priority: 1, type: "LOWERCASE" },
                  ],
                },
              },
            ],
            evaluationWindowSec: 60,
            limit: requestsPerCredential,
          },
        },
      },
      {
        name: "token-exchanges-per-address",
        action: throttled,
        statement: {
          rateBasedStatement: {
            aggregateKeyType: "IP",
            evaluationWindowSec: 300,
            limit: tokenExchangesPerAddress,
            scopeDownStatement: {
              byteMatchStatement: {
                fieldToMatch: { uriPath: {} },
                positionalConstraint: "ENDS_WITH",
                searchString: exchangeToken.routes[0].path,
                textTransformations: [{ priority: 0, type: "NONE" }],
              },
            },
          },
        },
      },
      ...Object.entries(bodyRules).map(([name, counted]) => ({
        name,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: "AWS",
            name,
            ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
          },
        },
      })),
    ];
    const acl = new CfnWebACL(this, "Acl", {
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      customResponseBodies: { throttled: { contentType: "APPLICATION_JSON", content: tooMany.body } },
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(rule.name) })),
      visibilityConfig: visibility(`business-data-${stage.name}`),
    });
    new CfnWebACLAssociation(this, "Association", { webAclArn: acl.attrArn, resourceArn: api.stageArn });
  }
}

/** Samples of requests would hold their headers, and with them credentials. */
const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});
