import { afterEach, expect, test, vi } from "vitest";
import { metrcStates } from "../../../../shared/api/enumerations.ts";
import { metrcBaseUrl } from "../../../../shared/pos/metrc/metrcAccess.ts";
import { maxReadingsPerState, readingShare } from "../../../../shared/pos/metrc/metrcApi.ts";

afterEach(() => vi.unstubAllEnvs());

test("each of the 28 states has an address of its own", () => {
  vi.stubEnv("POS_CONNECTORS", "real");
  expect(metrcBaseUrl("CO")).toBe("https://api-co.metrc.com");
  expect(new Set(metrcStates.map(metrcBaseUrl)).size).toBe(28);
});

test("a test endpoint replaces Metrc on every stage except prod", () => {
  vi.stubEnv("POS_CONNECTORS", "sandbox");
  expect(metrcBaseUrl("CO")).toBeUndefined();
  vi.stubEnv("POS_METRC_URL", "http://127.0.0.1:4000/");
  expect(metrcBaseUrl("CO")).toBe("http://127.0.0.1:4000");
  vi.stubEnv("STAGE", "prod");
  expect(metrcBaseUrl("CO")).toBeUndefined();
});

test("all readings of a state together use at most two thirds of the limits of a vendor key", () => {
  expect(maxReadingsPerState * readingShare.requestsPerSecond).toBeLessThanOrEqual((150 * 2) / 3);
  expect(maxReadingsPerState * readingShare.atOnce).toBeLessThanOrEqual((30 * 2) / 3);
  expect(readingShare.requestsPerSecond).toBeLessThanOrEqual(50);
  expect(readingShare.atOnce).toBeLessThanOrEqual(10);
});
