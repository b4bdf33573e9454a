import { Stack, type StackProps } from "aws-cdk-lib";
import { MockIntegration, PassthroughBehavior } from "aws-cdk-lib/aws-apigateway";
import type { Construct } from "constructs";
import type { Operation } from "../../shared/api/operation.ts";
import { contentTypes } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { securityHeaders } from "../../shared/api/securityHeaders.ts";
import { corsHeaders } from "../../shared/http/cors.ts";
import { createMockResponses, type MockResponses } from "../../shared/http/mockResponses.ts";
import { Gateway, quoted } from "../constructs/gateway.ts";
import { addPages } from "../constructs/pages.ts";
import { suppressNag } from "../constructs/suppressNag.ts";
import { byFormat, headersForOrigins, literal, statusByCredential } from "../constructs/velocity.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";

export interface MockStackProps extends StackProps {
  stage: DeployedStage;
}

/**
 * The mock API: API Gateway answers with the operation registry's examples. It has no table, and only the functions of
 * the pages about the API.
 */
export class MockStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: MockStackProps) {
    super(scope, id, props);
    const { allowedOrigins } = stage.settings;
    const api = new Gateway(this, "Api", stage);
    const cors = headersForOrigins(allowedOrigins, corsHeaders("$origin", allowedOrigins.length > 0 ? ["*"] : []));
    const headers: Readonly<Record<string, string>> = {
      "x-request-id": "context.requestId",
      "Cache-Control": "'no-store'",
      ...quoted(securityHeaders),
    };
    const parameters = <Value>(getValue: (header: string) => Value) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, getValue(value)]),
      );
    const answer = (statusCode: string, body: string) => ({
      statusCode,
      responseParameters: parameters((value) => value),
      responseTemplates: { [contentTypes.json]: cors + body },
    });
    const integrationOf = (operation: Operation) =>
      new MockIntegration({
        passthroughBehavior: PassthroughBehavior.NEVER,
        requestTemplates: {
          [contentTypes.json]: statusByCredential,
          ...(operation.form && { [contentTypes.form]: statusByCredential }),
        },
        integrationResponses: [
          { ...answer("200", bodyOf(operation, "success")), selectionPattern: "200" },
          answer("401", bodyOf(operation, "rejection")),
        ],
      });
    const methodResponses = ["200", "401"].map((statusCode) => ({
      statusCode,
      responseParameters: parameters(() => true),
    }));
    for (const operation of operationRegistry) {
      api.route(api.folderStack(operation.handler), integrationOf(operation), operation.routes, { methodResponses });
    }
    // API Gateway limits a mapping template to 300 KB, and the pages are larger.
    addPages(api, stage);
    api.addPreflights(operationRegistry);
    suppressNag(api, {
      "AwsSolutions-APIG3":
        "The stage serves fixed examples and pages behind its throttle: there is nothing to protect.",
    });
  }
}

/** The mapping template for a response body. */
function bodyOf(operation: Operation, outcome: keyof MockResponses): string {
  const bodyIn = (format: "json" | "form") => createMockResponses(operation, format)[outcome].body ?? "";
  return operation.form ? byFormat({ json: bodyIn("json"), form: bodyIn("form") }) : literal(bodyIn("json"));
}
