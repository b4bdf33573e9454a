import { afterEach, describe, expect, test } from "vitest";
import { addressLimitIssues } from "../../../infra/constructs/requestLimits.ts";
import { deployedStages, stages } from "../../../infra/stages/stages.ts";

const original = { ...stages.sandbox.aws };
afterEach(() => void Object.assign(stages.sandbox.aws, original));

const reason = "one IP address must not use up the throttle of all callers.";
const inStages = "of stage sandbox in infra/stages/stages.ts to 1500, a quarter of its throttle, or raise the throttle";

describe("the limits of a stage for an address", () => {
  test("are valid for every stage", () => {
    for (const name of deployedStages) expect(addressLimitIssues(name, stages[name])).toEqual([]);
  });

  test.each(["requestsPerAddress", "requestsWithoutCredentialPerAddress"])(
    "are at most a quarter of the throttle: %s",
    (setting) => {
      Object.assign(stages.sandbox.aws, { [setting]: 1_500 });
      expect(addressLimitIssues("sandbox", stages.sandbox)).toEqual([]);
      Object.assign(stages.sandbox.aws, { [setting]: 1_501 });
      expect(addressLimitIssues("sandbox", stages.sandbox)).toEqual([`Lower ${setting} ${inStages}: ${reason}`]);
    },
  );
});
