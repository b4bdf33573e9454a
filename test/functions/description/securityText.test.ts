import { afterAll, expect, test, vi } from "vitest";
import { handler } from "../../../functions/description/securityText.ts";
import { deployedStages, settingsEnvironment } from "../../../infra/stages/stages.ts";
import { requestEvent } from "../../requestEvent.ts";

afterAll(() => vi.unstubAllEnvs());

test.each(["local", ...deployedStages] as const)(
  "%s names its contact for reports of vulnerabilities",
  async (stage) => {
    for (const [name, value] of Object.entries(settingsEnvironment(stage))) vi.stubEnv(name, value);
    const { statusCode, headers, body } = await handler(
      requestEvent({ resource: "/.well-known/security.txt", path: {} }),
    );
    expect([statusCode, headers?.["Content-Type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = Object.fromEntries(
      body
        .trim()
        .split("\n")
        .map((line) => line.split(/: (.*)/, 2)),
    );
    expect(Object.keys(fields)).toEqual(["Contact", "Expires", "Preferred-Languages"]);
    expect(fields.Contact).toMatch(/^mailto:[^@\s]+@[^@\s]+$/);
    // RFC 9116: a date and time by RFC 3339, less than a year ahead.
    const left = Date.parse(fields.Expires ?? "") - Date.now();
    expect(fields.Expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(365 * 86_400_000);
  },
);
