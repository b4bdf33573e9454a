import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { createSecret, secretInHeader } from "../../../shared/auth/secrets.ts";
import type { Assembled, Properties } from "./assembled.ts";
import { matchesStatement } from "./wafStatement.ts";

/** The calls that WAF blocks in front of the API, and its log. */
export function describeWebAcl(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the web ACL of %s", (stage) => {
    const template = () => assembled().templates[stage].Api ?? expect.fail();

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
