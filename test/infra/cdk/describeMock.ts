import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import type { Assembled, Properties } from "./assembled.ts";
import { methodNames, methodsOf } from "./describeApi.ts";

/** The stage of fixed responses. */
export function describeMock(assembled: () => Assembled): void {
  describe("the mock stage", () => {
    const templates = () => assembled().templates.mock;
    const template = () => templates().Mock ?? expect.fail();
    const routes = operationRegistry.flatMap(({ routes, success, form }) =>
      routes.map((route) => ({ ...route, success, form })),
    );

    test("has no table, and only the functions of the pages, which have no permissions", () => {
      const all = Object.values(templates());
      const types = new Set(all.flatMap(({ json }) => Object.values(json.Resources).map(({ Type }) => Type)));
      expect([...types].filter((type) => /DynamoDB|S3|SQS|KMS|Secret/.test(type))).toEqual([]);
      const functions = all.flatMap((each) => each.properties("Lambda::Function"));
      expect(new Set(functions.map(({ Description }) => Description))).toEqual(
        new Set(pages.map(({ handler }) => `functions/${handler}.ts`)),
      );
      for (const role of all.flatMap((each) => each.properties("IAM::Role"))) {
        const statements = (role.Policies ?? []).flatMap(({ PolicyDocument }: Properties) => PolicyDocument.Statement);
        for (const { Action } of statements) expect([Action].flat().join()).toMatch(/^logs:/);
      }
    });

    test("responds to every operation in the gateway: 200 with the operation registry's example, or 401", () => {
      const methods = methodsOf(templates(), template());
      expect([...methods.keys()].sort()).toEqual(methodNames([...routes, ...pages]).sort());
      for (const { method, path, success, form } of routes) {
        const { Integration } = methods.get(`${method} ${path}`) ?? expect.fail();
        expect(Integration.Type).toBe("MOCK");
        const [ok, refused] = Integration.IntegrationResponses;
        expect([ok.StatusCode, ok.SelectionPattern, refused.StatusCode]).toEqual(["200", "200", "401"]);
        for (const { ResponseParameters } of [ok, refused]) expect(ResponseParameters).toMatchObject(securityHeaders);
        const types = ["application/json", ...(form ? ["application/x-www-form-urlencoded"] : [])];
        expect(Object.keys(Integration.RequestTemplates)).toEqual(types);
        // The tests of the served template check which of the two texts is chosen.
        if (form) continue;
        expect(textOf(ok.ResponseTemplates["application/json"])).toBe(JSON.stringify(success.example));
        expect(JSON.parse(textOf(refused.ResponseTemplates["application/json"]))).toMatchObject({ status: 401 });
      }
    });
  });
}

/** The body as API Gateway adds it to its own response. */
const securityHeaders = {
  "method.response.header.Strict-Transport-Security": "'max-age=63072000; includeSubDomains'",
  "method.response.header.X-Content-Type-Options": "'nosniff'",
};

/** The result of a template of directives and a text with placeholders for `$` and `#`. */
function textOf(template: string): string {
  return template
    .replace(/^#set\(\$origin[\s\S]*?#end#end#if\([^\n]*?\)(#set\(.*?"\))+#end/, "")
    .replace("#set($dollar = '$')#set($hash = '#')", "")
    .replaceAll(`\${dollar}`, "$")
    .replaceAll(`\${hash}`, "#");
}
