import { App, Stack } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import { describe, expect, test } from "vitest";
import { Gateway } from "../../../infra/gateway.ts";
import { type StageSettings, stages } from "../../../infra/stages.ts";
import { catalogue } from "../../../shared/api/catalogue.ts";
import { pages } from "../../../shared/referencePage/pages.ts";
import { type Assembled, type Properties, Template } from "./assembled.ts";

/** The path of each method of the gateway, such as `GET /crbs/{crb_id}`, with the method's properties. */
export function methodsOf(template: Template): Map<string, Properties> {
  const resources = template.all("ApiGateway::Resource");
  const pathOf = (resource: { Ref?: string }): string => {
    const found = resources[resource.Ref ?? ""]?.Properties;
    return found ? `${pathOf(found.ParentId)}/${found.PathPart}` : "";
  };
  return new Map(
    template
      .properties("ApiGateway::Method")
      .map((method) => [`${method.HttpMethod} ${pathOf(method.ResourceId) || "/"}`, method]),
  );
}

/** Every method that routes give: HEAD beside GET, OPTIONS everywhere (contract 1). */
export const methodNames = (routes: readonly { method: string; path: string }[]): string[] => [
  ...new Set(
    routes.flatMap(({ method, path }) => [
      `${method} ${path}`,
      ...(method === "GET" ? [`HEAD ${path}`] : []),
      `OPTIONS ${path}`,
    ]),
  ),
];

/** The API in front of the functions. */
export function describeApi(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the API of %s", (stage) => {
    const template = () => assembled().templates[stage].Api ?? expect.fail();

    test("leads every route to the function of its handler, and has no other", () => {
      const routes = [
        ...catalogue.flatMap(({ routes, handler }) => routes.map((route) => ({ ...route, handler }))),
        ...pages,
      ];
      const methods = methodsOf(template());
      expect([...methods.keys()].sort()).toEqual(methodNames(routes).sort());
      for (const { method, path, handler } of routes) {
        for (const each of method === "GET" ? ["GET", "HEAD"] : [method]) {
          const { Integration, AuthorizationType } = methods.get(`${each} ${path}`) ?? expect.fail();
          expect(Integration.Type).toBe("AWS_PROXY");
          expect(AuthorizationType).toBe("NONE");
          const [functionId] = JSON.stringify(Integration.Uri).match(/(?<="Fn::GetAtt":\[")\w+/) ?? expect.fail();
          expect(template().json.Resources[functionId]?.Properties.Description).toBe(`functions/${handler}.ts`);
        }
      }
    });

    test("compresses, limits, and takes TLS 1.2 or newer only", () => {
      expect(template().one("ApiGateway::RestApi")).toMatchObject({
        MinimumCompressionSize: 1024,
        EndpointConfiguration: { Types: ["REGIONAL"] },
        SecurityPolicy: "SecurityPolicy_TLS13_1_2_PQ_2025_09",
      });
      expect(template().one("ApiGateway::RestApi").BinaryMediaTypes).toBeUndefined();
      const { throttle } = stages[stage].aws;
      const { MethodSettings } = template().one("ApiGateway::Stage");
      expect(MethodSettings).toEqual([
        expect.objectContaining({
          HttpMethod: "*",
          ResourcePath: "/*",
          LoggingLevel: "OFF",
          DataTraceEnabled: false,
          ThrottlingRateLimit: throttle.rate,
          ThrottlingBurstLimit: throttle.burst,
        }),
      ]);
    });

    test("logs calls without headers, query strings, bodies and the ids in paths", () => {
      const { Format } = template().one("ApiGateway::Stage").AccessLogSetting;
      const variables = Object.values<string>(JSON.parse(Format));
      const allowed =
        /^\$context\.(requestId|extendedRequestId|requestTime|httpMethod|resourcePath|status|error\.responseType|responseLatency|integrationLatency|responseLength|wafResponseCode|identity\.sourceIp)$/;
      for (const variable of variables) expect(variable).toMatch(allowed);
      // By which WAF's log tells a call that it refused.
      expect(variables).toContain("$context.extendedRequestId");
    });
  });

  test("a stage with a name of its own answers by no other", () => {
    const settings: StageSettings = stages.prod;
    const domain = { name: "api.example.org", certificateArn: "arn:aws:acm:us-west-2:123456789012:certificate/1" };
    const aws = { ...(settings.aws ?? expect.fail()), domain };
    const stack = new Stack(new App(), "Named");
    new Gateway(stack, "Api", { name: "prod", settings, aws, bundles: "" }).root.addMethod("GET");
    const named = new Template(Synthesized.fromStack(stack).toJSON());
    expect(named.one("ApiGateway::RestApi").DisableExecuteApiEndpoint).toBe(true);
    expect(named.one("ApiGateway::DomainName")).toMatchObject({
      DomainName: domain.name,
      RegionalCertificateArn: domain.certificateArn,
      SecurityPolicy: "SecurityPolicy_TLS13_1_2_PQ_2025_09",
    });
    expect(named.json.Outputs).toMatchObject({ BaseUrl: { Value: "https://api.example.org" }, DomainAlias: {} });
  });

  describe.each(["mock", "sandbox", "prod"] as const)("what the gateway of %s answers by itself", (stage) => {
    const responses = () =>
      (assembled().templates[stage].Api ?? assembled().templates[stage].Mock)?.properties(
        "ApiGateway::GatewayResponse",
      ) ?? [];
    const statuses: Record<string, number> = {
      MISSING_AUTHENTICATION_TOKEN: 404,
      RESOURCE_NOT_FOUND: 404,
      THROTTLED: 429,
      QUOTA_EXCEEDED: 429,
      REQUEST_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 422,
      BAD_REQUEST_BODY: 422,
      INTEGRATION_FAILURE: 503,
      INTEGRATION_TIMEOUT: 503,
      DEFAULT_5XX: 503,
      WAF_FILTERED: 403,
    };

    test("covers every type of response", () => {
      const types = Object.values(ResponseType).flatMap((type) =>
        type instanceof ResponseType ? type.responseType : [],
      );
      expect(types).toHaveLength(21);
      expect(
        responses()
          .map(({ ResponseType: type }) => type)
          .sort(),
      ).toEqual(types.sort());
    });

    test("is the error record of the contract, with its headers", () => {
      for (const { ResponseType: type, StatusCode, ResponseTemplates, ResponseParameters } of responses()) {
        const body = JSON.parse(ResponseTemplates["application/json"]);
        expect(body, type).toMatchObject({
          name: expect.any(String),
          message: expect.any(String),
          status: Number(StatusCode),
        });
        expect(Object.keys(body).sort(), type).toEqual(
          ["message", "name", "status", ...(body.status === 422 ? ["fields"] : [])].sort(),
        );
        if (statuses[type]) expect(body.status, type).toBe(statuses[type]);
        expect(ResponseParameters["gatewayresponse.header.x-request-id"], type).toBe("context.requestId");
        expect(ResponseParameters["gatewayresponse.header.Cache-Control"], type).toBe("'no-store'");
        expect(ResponseParameters["gatewayresponse.header.Retry-After"], type).toBe(
          [429, 503].includes(body.status) ? "'1'" : undefined,
        );
      }
    });
  });
}
