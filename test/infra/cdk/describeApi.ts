import { App, Stack } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { Gateway } from "../../../infra/constructs/gateway.ts";
import { stageOperations } from "../../../infra/stages/stageOperations.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { type Assembled, type Properties, Template } from "./assembled.ts";

/**
 * The path of each method of the gateway, such as `GET /crbs/{crb_id}`, with the method's properties.
 *
 * @param outer the stack with the gateway; the methods are in stacks nested in it
 */
export function methodsOf(templates: Readonly<Record<string, Template>>, outer: Template): Map<string, Properties> {
  const resources = outer.all("ApiGateway::Resource");
  const pathOf = (resource: { Ref?: string }): string => {
    const found = resources[resource.Ref ?? ""]?.Properties;
    return found ? `${pathOf(found.ParentId)}/${found.PathPart}` : "";
  };
  return new Map(
    Object.entries(outer.all("CloudFormation::Stack")).flatMap(
      ([
        id,
        {
          Properties: { Parameters },
        },
      ]) =>
        nestedStack(templates, id)
          .properties("ApiGateway::Method")
          .map((method): [string, Properties] => {
            // A nested stack gets the gateway and its resources as parameters.
            const resource = Parameters[method.ResourceId.Ref] ?? expect.fail();
            expect(Parameters[method.RestApiId.Ref], "the gateway").toBeDefined();
            return [`${method.HttpMethod} ${pathOf(resource) || "/"}`, method];
          }),
    ),
  );
}

/** The template of the nested stack with this logical id. */
function nestedStack(templates: Readonly<Record<string, Template>>, id: string): Template {
  const folder = id.replace(/NestedStack.*/, "").replace(/^./, (letter) => letter.toLowerCase());
  return templates[`functions/${folder}`] ?? expect.fail(id);
}

/** All methods of all routes: HEAD for every GET, and OPTIONS everywhere (docs/spec.md#methods-and-pages). */
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

    /** The description of the function that a method of a handler's folder calls. */
    const calledBy = (handler: string, uri: unknown): string => {
      const group = assembled().templates[stage][`functions/${handler.split("/")[0]}`] ?? expect.fail(handler);
      const versions = group.all("Lambda::Version");
      const [, ref = ""] =
        [...JSON.stringify(uri).matchAll(/"Ref":"(\w+)"/g)].find(([, id = ""]) => versions[id]) ?? [];
      return group.json.Resources[versions[ref]?.Properties.FunctionName.Ref]?.Properties.Description;
    };

    test("connects every route with the function of its handler, and has no other routes", () => {
      const routes = [
        ...stageOperations(stages[stage]).flatMap(({ routes, handler }) =>
          routes.map((route) => ({ ...route, handler })),
        ),
        ...pages,
      ];
      const methods = methodsOf(assembled().templates[stage], template());
      expect([...methods.keys()].sort()).toEqual(methodNames(routes).sort());
      for (const { method, path, handler } of routes) {
        for (const each of method === "GET" ? ["GET", "HEAD"] : [method]) {
          const { Integration, AuthorizationType } = methods.get(`${each} ${path}`) ?? expect.fail();
          expect(Integration.Type).toBe("AWS_PROXY");
          expect(AuthorizationType).toBe("NONE");
          expect(calledBy(handler, Integration.Uri)).toBe(`functions/${handler}.ts`);
        }
      }
    });
  });

  test.each([[undefined], [true]])("a stage with its own domain can switch off the gateway's address: %s", (only) => {
    const settings: StageSettings = stages.prod;
    const certificateArn = "arn:aws:acm:us-west-2:123456789012:certificate/1";
    const domain = { name: "api.example.org", certificateArn, ...(only && { only }) };
    const aws = { ...(settings.aws ?? expect.fail()), domain };
    const stack = new Stack(new App(), "Named");
    new Gateway(stack, "Api", { name: "prod", settings, aws, bundles: "", release: "1.0.0" }).root.addMethod("GET");
    const named = new Template(Synthesized.fromStack(stack).toJSON());
    expect(named.one("ApiGateway::RestApi").DisableExecuteApiEndpoint).toBe(only ?? false);
    expect(named.one("ApiGateway::DomainName")).toMatchObject({
      DomainName: domain.name,
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: "SecurityPolicy_TLS13_1_2_PQ_2025_09",
    });
    expect(named.json.Outputs).toMatchObject({ BaseUrl: { Value: "https://api.example.org" }, DomainAlias: {} });
  });
}
