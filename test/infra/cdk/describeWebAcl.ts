import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { stages } from "../../../infra/stages/stages.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { createSecret, secretInHeader } from "../../../shared/auth/secrets.ts";
import type { Assembled, Properties } from "./assembled.ts";
import { matchesStatement } from "./wafStatement.ts";

/** The calls that WAF blocks in front of the API, and its log. */
export function describeWebAcl(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the web ACL of %s", (stage) => {
    const template = () => assembled().templates[stage].Api ?? expect.fail();

    test("limits calls by credential and token exchanges by address, and responds with 429 as the service does", () => {
      const { Rules, CustomResponseBodies } = template().one("WAFv2::WebACL");
      const [byCredential, byAddress, withoutCredential, all] = Rules;
      expect(byCredential.Statement.RateBasedStatement).toMatchObject({
        AggregateKeyType: "CUSTOM_KEYS",
        CustomKeys: [{ Header: { Name: "authorization" } }],
        EvaluationWindowSec: 60,
        Limit: 600,
      });
      expect(byAddress.Statement.RateBasedStatement).toMatchObject({
        AggregateKeyType: "IP",
        EvaluationWindowSec: 300,
        Limit: 300,
      });
      expect(withoutCredential.Statement.RateBasedStatement).toMatchObject({
        AggregateKeyType: "IP",
        EvaluationWindowSec: 60,
        Limit: 600,
      });
      // These limits hold whatever a request contains.
      expect(all.Statement.RateBasedStatement).toEqual({
        AggregateKeyType: "IP",
        EvaluationWindowSec: 60,
        Limit: stages[stage].aws.requestsPerAddress,
      });
      // One address leaves three quarters of the stage's throttle to others, and can use the full limit of a credential.
      const { requestsPerAddress, throttle } = stages[stage].aws;
      expect(requestsPerAddress).toBeLessThanOrEqual((throttle.rate * 60) / 4);
      expect(requestsPerAddress).toBeGreaterThan(600);
      for (const { Action } of [byCredential, byAddress, withoutCredential, all]) {
        expect(Action.Block.CustomResponse).toMatchObject({
          ResponseCode: 429,
          ResponseHeaders: expect.arrayContaining([
            { Name: "Retry-After", Value: "30" },
            { Name: "Strict-Transport-Security", Value: "max-age=63072000; includeSubDomains" },
            { Name: "X-Content-Type-Options", Value: "nosniff" },
          ]),
        });
      }
      expect(JSON.parse(CustomResponseBodies.throttled.Content)).toMatchObject({
        name: "Too Many Requests",
        status: 429,
      });
    });

    test("has no AWS rule that blocks calls for their body, query or path, and keeps no sample of a call", () => {
      const { Rules, VisibilityConfig } = template().one("WAFv2::WebACL");
      const groups = Rules.slice(4);
      expect(groups.map(({ Name }: { Name: string }) => Name)).toEqual([
        "AWSManagedRulesCommonRuleSet",
        "AWSManagedRulesKnownBadInputsRuleSet",
        "AWSManagedRulesAmazonIpReputationList",
      ]);
      // The groups as AWS documents them; a rule that AWS adds shows in the sampled requests of a deployed stage.
      const parts = (rule: string) => ["BODY", "QUERYARGUMENTS", "URIPATH"].map((part) => `${rule}_${part}`);
      const countedRules = {
        AWSManagedRulesCommonRuleSet: [
          ...["CrossSiteScripting", "GenericLFI", "GenericRFI", "EC2MetaDataSSRF"].flatMap(parts),
          "SizeRestrictions_BODY",
          // A name of 255 characters of three bytes is 2,295 bytes long with percent encoding.
          "SizeRestrictions_QUERYSTRING",
          // An unknown route gets 404, whatever its path is.
          "SizeRestrictions_URIPATH",
          "RestrictedExtensions_QUERYARGUMENTS",
          "RestrictedExtensions_URIPATH",
        ],
        AWSManagedRulesKnownBadInputsRuleSet: [
          "JavaDeserializationRCE_BODY",
          "Log4JRCE_BODY",
          "ReactJSRCE_BODY",
          "ExploitablePaths_URIPATH",
          "PROPFIND_METHOD",
        ],
      };
      for (const [name, rules] of Object.entries(countedRules)) {
        const { Statement } = groups.find(({ Name }: { Name: string }) => Name === name);
        const counted = Statement.ManagedRuleGroupStatement.RuleActionOverrides;
        for (const rule of rules) expect(counted).toContainEqual({ Name: rule, ActionToUse: { Count: {} } });
      }
      for (const config of [VisibilityConfig, ...Rules.map((rule: Properties) => rule.VisibilityConfig)]) {
        expect(config.SampledRequestsEnabled).toBe(false);
      }
      expect(template().all("WAFv2::WebACLAssociation")).not.toEqual({});
    });

    test("logs which rule blocked a call, without credentials and query strings, and nothing of other calls", () => {
      const logging = template().one("WAFv2::LoggingConfiguration");
      expect(logging.LoggingFilter).toEqual({
        DefaultBehavior: "DROP",
        Filters: [
          { Behavior: "KEEP", Requirement: "MEETS_ANY", Conditions: [{ ActionCondition: { Action: "BLOCK" } }] },
        ],
      });
      expect(logging.RedactedFields).toEqual([{ SingleHeader: { Name: "authorization" } }, { QueryString: {} }]);
      const [aclId = ""] = Object.keys(template().all("WAFv2::WebACL"));
      expect(logging.ResourceArn).toEqual({ "Fn::GetAtt": [aclId, "Arn"] });
      const [logId, log] =
        Object.entries(template().all("Logs::LogGroup")).find(([id]) => id.startsWith("WebAcl")) ?? expect.fail();
      expect(JSON.stringify(log.Properties.LogGroupName)).toContain(`aws-waf-logs-business-data-${stage}-`);
      expect(JSON.stringify(logging.LogDestinationConfigs)).toContain(`:log-group:",{"Ref":"${logId}"}]]`);
      // The log entry of a limit names its key, which the redaction above does not remove.
      const { DataProtections } = template().one("WAFv2::WebACL").DataProtectionConfig;
      for (const field of [
        { FieldType: "SINGLE_HEADER", FieldKeys: ["authorization"] },
        { FieldType: "QUERY_STRING" },
      ]) {
        expect(DataProtections).toContainEqual({
          Field: field,
          Action: "SUBSTITUTION",
          ExcludeRateBasedDetails: false,
          ExcludeRuleMatchDetails: false,
        });
      }
    });

    describe("counts as calls without a credential", () => {
      const counted = (authorization?: string, method = "GET") => {
        const { Rules } = template().one("WAFv2::WebACL");
        const { Statement } = Rules.find(({ Name }: Properties) => Name === "requests-without-credential-per-address");
        const request = { path: "/crbs/x", method, ...(authorization !== undefined && { authorization }) };
        return matchesStatement(Statement.RateBasedStatement.ScopeDownStatement, request);
      };
      const secrets = (["sk", "at", "iv"] as const).map((kind) => createSecret(kind, randomUUID()));

      test("calls whose header the service rejects as no credential", () => {
        const [secret = ""] = secrets;
        const malformed = [
          "",
          "x",
          "Basic eDp5",
          "Bearer",
          secret.slice(1),
          `${secret}x`,
          `${secret}, ${secret}`,
          `Bearer x ${secret}`,
        ];
        for (const header of malformed) {
          expect(() => secretInHeader(header), header).toThrow();
          expect(counted(header), header).toBe(true);
        }
        expect(counted()).toBe(true);
        expect(counted(undefined, "POST")).toBe(true);
      });

      test("no calls with a possible credential in any notation, and no preflight requests", () => {
        for (const secret of secrets) {
          for (const header of [secret, `Bearer ${secret}`, `bEARER   ${secret}`, ` ${secret}\t`]) {
            expect(secretInHeader(header), header).toBeDefined();
            expect(counted(header), header).toBe(false);
          }
        }
        expect(counted(undefined, "OPTIONS")).toBe(false);
      });
    });

    describe("counts as token exchanges", () => {
      const counted = (path: string) => {
        const { Rules } = template().one("WAFv2::WebACL");
        const { Statement } = Rules.find(({ Name }: Properties) => Name === "token-exchanges-per-address");
        return matchesStatement(Statement.RateBasedStatement.ScopeDownStatement, { path });
      };

      test.each([
        "/auth/token",
        `/${stage}/auth/token`,
        "/auth/token/",
        "/auth/token//",
        "/auth%2Ftoken",
        "/auth%2ftoken/",
        "/auth/token%2F",
        "/auth/%74oken",
        "//auth/token",
        "/auth//token",
        "/auth/./token",
        "/auth/token/.",
        "/auth/%2E/token",
        "/x/../auth/token",
        "/auth/x/%2e%2e/token",
        "/auth/token/x/..",
        "/../../auth/token",
        "/onboarding/link",
        `/${stage}/onboarding/link/`,
        "/onboarding%2Flink",
      ])("calls of %s, which the gateway may route there", (path) => expect(counted(path)).toBe(true));

      test.each([
        "/auth/tokens",
        "/auth/token/x",
        "/auth-token",
        "/oauth/tokens",
        "/token",
        "/service-providers/1/crbs/2/auth-token",
        "/auth/token/..",
        // The gateway decodes once, and its paths are case-sensitive.
        "/auth%252Ftoken",
        "/AUTH/TOKEN",
      ])("no calls of %s", (path) => expect(counted(path)).toBe(false));

      test("no calls of other routes, whatever ids they have", () => {
        const paths = operationRegistry
          .flatMap(({ routes }) => routes.map(({ path }) => path))
          .filter((path) => path !== "/auth/token" && path !== "/onboarding/link");
        for (const path of paths) {
          for (const id of ["token", "auth", "x"]) expect(counted(path.replaceAll(/\{\w+\}/g, id)), path).toBe(false);
        }
      });
    });
  });
}
