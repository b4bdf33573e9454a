import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import { describe, expect, test } from "vitest";
import { gatewayErrors } from "../../gatewayErrors.ts";
import type { Assembled } from "./assembled.ts";

/** What API Gateway answers by itself. */
export function describeGatewayResponses(assembled: () => Assembled): void {
  test("the table of what the gateway answers by itself has every type of AWS once", () => {
    const types = Object.values(ResponseType).flatMap((type) =>
      type instanceof ResponseType ? type.responseType : [],
    );
    expect(types).toHaveLength(21);
    expect(
      gatewayErrors()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(types.sort());
  });

  describe.each(["mock", "sandbox", "prod"] as const)("what the gateway of %s answers by itself", (stage) => {
    const responses = () =>
      (assembled().templates[stage].Api ?? assembled().templates[stage].Mock)?.properties(
        "ApiGateway::GatewayResponse",
      ) ?? [];

    test("is what the table says, and nothing else", () => {
      expect(
        responses()
          .map(({ ResponseType: type }) => type)
          .sort(),
      ).toEqual(
        gatewayErrors()
          .map(({ type }) => type)
          .sort(),
      );
    });

    test.each(gatewayErrors())(
      "$type is $status $name, as the error record of the specification with its headers",
      (row) => {
        const { StatusCode, ResponseTemplates, ResponseParameters } =
          responses().find(({ ResponseType: type }) => type === row.type) ?? expect.fail();
        const { name, status } = row;
        expect(StatusCode).toBe(String(status));
        expect(Object.keys(ResponseTemplates)).toEqual(["application/json"]);
        expect(JSON.parse(ResponseTemplates["application/json"])).toEqual({
          name,
          message: expect.any(String),
          status,
          ...(status === 422 && { fields: expect.any(Object) }),
        });
        expect(ResponseParameters).toMatchObject({
          "gatewayresponse.header.x-request-id": "context.requestId",
          "gatewayresponse.header.Cache-Control": "'no-store'",
          "gatewayresponse.header.Strict-Transport-Security": "'max-age=63072000; includeSubDomains'",
        });
        expect(ResponseParameters["gatewayresponse.header.Retry-After"]).toBe(
          [429, 503].includes(status) ? "'1'" : undefined,
        );
      },
    );
  });
}
