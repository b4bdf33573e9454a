import { dice } from "../../../../shared/pos/sandbox/dice.ts";
import type { FakeRequest, Fault } from "./fakeServer.ts";

const limited = (headers: Record<string, string>): Fault => ({
  kind: "answer",
  answer: { status: 429, headers, body: "Too many requests" },
});

/** All faults of POS systems that were observed. Delays are milliseconds, to keep tests short. */
const faults: readonly [Fault, ...Fault[]] = [
  limited({}),
  limited({ "retry-after": "0" }),
  limited({ "retry-after-ms": "5" }),
  limited({ "retry-after": "60" }),
  { kind: "answer", answer: { status: 500, body: { message: "An error has occurred." } } },
  { kind: "answer", answer: { status: 502, body: "<html><body>Bad gateway</body></html>" } },
  { kind: "answer", answer: { status: 503, body: "" } },
  { kind: "answer", answer: { status: 504, body: "" } },
  { kind: "answer", answer: { body: "<html><body>We are down for maintenance</body></html>" } },
  { kind: "answer", answer: { status: 403, body: "<html>error code: 1010</html>" } },
  { kind: "answer", answer: { status: 302, headers: { location: "https://example.com/" }, body: "" } },
  { kind: "cut" },
  { kind: "cutHalfway" },
  { kind: "truncated" },
  { kind: "slow", milliseconds: 5 },
];

/** Random faults, the same for the same seed. ¶ @param share the percentage of requests with a fault */
export function seededFaults(seed: number | string, share: number): (request: FakeRequest) => Fault | undefined {
  const chance = dice("faults", seed);
  return () => (chance.percent(share) ? chance.pick(faults) : undefined);
}
