import { Stack, type StackProps } from "aws-cdk-lib";
import { MockIntegration, PassthroughBehavior } from "aws-cdk-lib/aws-apigateway";
import type { Construct } from "constructs";
import { catalogue } from "../shared/api/catalogue.ts";
import { corsHeaders } from "../shared/api/cors.ts";
import { errorAnswer, unauthorized } from "../shared/api/errors.ts";
import { pages } from "../shared/api/pages.ts";
import { acknowledge } from "./acknowledge.ts";
import type { DeployedStage } from "./deployedStage.ts";
import { Gateway } from "./gateway.ts";
import { addPages } from "./pages.ts";
import { headersForOrigins, literal, statusByCredential } from "./velocity.ts";

export interface MockStackProps extends StackProps {
  stage: DeployedStage;
}

/**
 * The API as API Gateway can answer it alone, with the examples of the catalogue: no table, and no function but those of
 * the pages about the API.
 */
export class MockStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: MockStackProps) {
    super(scope, id, props);
    const { allowedOrigins } = stage.settings;
    const api = new Gateway(this, "Api", stage);
    const cors = headersForOrigins(allowedOrigins, corsHeaders("$origin", allowedOrigins.length > 0 ? ["*"] : []));
    const answer = (statusCode: string, body: string) => ({
      statusCode,
      responseParameters: {
        "method.response.header.x-request-id": "context.requestId",
        "method.response.header.Cache-Control": "'no-store'",
      },
      responseTemplates: { "application/json": cors + literal(body) },
    });
    const integrationOf = (example: unknown) =>
      new MockIntegration({
        passthroughBehavior: PassthroughBehavior.NEVER,
        requestTemplates: { "application/json": statusByCredential },
        integrationResponses: [
          { ...answer("200", JSON.stringify(example)), selectionPattern: "200" },
          answer("401", errorAnswer(unauthorized()).body),
        ],
      });
    const headers = { "method.response.header.x-request-id": true, "method.response.header.Cache-Control": true };
    const methodResponses = ["200", "401"].map((statusCode) => ({ statusCode, responseParameters: headers }));
    for (const { routes, success } of catalogue) {
      api.route(integrationOf(success.example), routes, { methodResponses });
    }
    // Too long for a mapping template, of which API Gateway takes 300 KB.
    addPages(api, stage);
    api.addPreflights([...catalogue.flatMap(({ routes }) => routes), ...pages]);
    acknowledge(api, {
      "AwsSolutions-APIG3": "Fixed examples and pages behind the throttle of the stage: there is nothing to protect.",
    });
  }
}
