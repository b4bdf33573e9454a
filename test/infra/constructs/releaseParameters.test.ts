import { expect, test } from "vitest";
import {
  describeReleaseBase,
  followed,
  formatReleases,
  maxFormer,
  parseReleaseBase,
  parseReleases,
  type Release,
} from "../../../infra/constructs/releaseParameters.ts";
import { storedFormat } from "../../../shared/store/storedFormat.ts";

test("a base names the table and its format", () => {
  expect(describeReleaseBase({})).toBe(`own table, format ${storedFormat}`);
  expect(parseReleaseBase(describeReleaseBase({}))).toEqual({ tableName: undefined, format: storedFormat });
  const restored = describeReleaseBase({ tableName: "restored-1" });
  expect(parseReleaseBase(restored)).toEqual({ tableName: "restored-1", format: storedFormat });
});

const release = (deployment: string, workers = "assets/a.json"): Release => ({ deployment, workers });

test("releases are kept in one line of a parameter, which is never empty", () => {
  expect(formatReleases([])).toBe("none");
  expect(parseReleases("none")).toEqual([]);
  expect(parseReleases(undefined)).toEqual([]);
  const releases = [release("d2"), release("d1", "none")];
  expect(parseReleases(formatReleases(releases))).toEqual(releases);
});

test("after a new release, the present one is the first to go back to, and older ones are limited in number", () => {
  const older = ["d5", "d4", "d3", "d2", "d1"].map((id) => release(id));
  const former = followed(release("d6"), release("d7"), older);
  expect(former.map(({ deployment }) => deployment)).toEqual(["d6", "d5", "d4", "d3", "d2"]);
  expect(former).toHaveLength(maxFormer);
  // The longest parameter that CloudFormation accepts.
  const bucket = `cdk-hnb659fds-assets-123456789012-ap-southeast-2/${"0".repeat(64)}.json`;
  expect(formatReleases(former.map(({ deployment }) => release(deployment, bucket))).length).toBeLessThan(4_096);
});

test("a repeated release, as after a deployment without changes, is no release to go back to", () => {
  const older = [release("d1")];
  expect(followed(release("d2"), release("d2"), older)).toEqual(older);
  expect(followed(release("d2"), release("d2", "assets/b.json"), older)[0]).toEqual(release("d2"));
});
