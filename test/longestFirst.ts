import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take a minute or more. If one of them started last, it would run alone at the end. */
export const longest: readonly string[] = [
  "test/system/simulation/simulation.test.ts",
  "test/system/deployed/api.long.test.ts",
  "test/shared/domain/licenses/licenses.long.test.ts",
  "test/functions/onboarding/races.long.test.ts",
];

/** The order of test files: the longest first, the others as Vitest orders them. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? longest.length : place;
}
