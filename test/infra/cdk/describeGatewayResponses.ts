import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import { describe, expect, test } from "vitest";
import { gatewayErrors } from "../../gatewayErrors.ts";
import type { Assembled } from "./assembled.ts";

/** The responses that API Gateway itself returns. */
export function describeGatewayResponses(assembled: () => Assembled): void {
  test("the table of gateway responses has every type of AWS once", () => {
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

  describe.each(["mock", "sandbox", "prod"] as const)("the gateway responses of %s", (stage) => {
    const responses = () =>
      (assembled().templates[stage].Api ?? assembled().templates[stage].Mock)?.properties(
        "ApiGateway::GatewayResponse",
      ) ?? [];

    test("are those of the table, and no others", () => {
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
      "include $type with $status $name, as an error record of the specification with its headers",
      (row) => {
        const { StatusCode, ResponseTemplates, ResponseParameters } =
          responses().find(({ ResponseType: type }) => type === row.type) ?? expect.fail();
        const { name, status } = row;
        expect(StatusCode).toBe(String(status));
        expect(Object.keys(ResponseTemplates)).toEqual(["application/json"]);
        expect(JSON.parse(ResponseTemplates["application/json"])).toEqual({
          name,
          code: expect.stringMatching(/^[a-z_]+$/),
          message: expect.any(String),
          status,
          ...(status === 422 && { fields: expect.any(Object) }),
        });
        expect(ResponseParameters).toMatchObject({
          "gatewayresponse.header.x-request-id": "context.requestId",
          "gatewayresponse.header.Cache-Control": "'no-store'",
          "gatewayresponse.header.Strict-Transport-Security": "'max-age=63072000; includeSubDomains'",
          "gatewayresponse.header.X-Content-Type-Options": "'nosniff'",
        });
        expect(ResponseParameters["gatewayresponse.header.Retry-After"]).toBe(
          [429, 503].includes(status) ? "'1'" : undefined,
        );
      },
    );
  });
}
