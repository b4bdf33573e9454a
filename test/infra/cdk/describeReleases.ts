import { describe, expect, test } from "vitest";
import { describeReleaseBase } from "../../../infra/constructs/releaseParameters.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { type Assembled, release } from "./assembled.ts";
import { countsFor } from "./describeBackground.ts";

/** A stage can try a release, and go back to the earlier one. */
export function describeReleases(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("a release of %s", (stage) => {
    const api = () => assembled().templates[stage].Api ?? expect.fail();
    const groups = () =>
      Object.entries(assembled().templates[stage]).flatMap(([name, template]) =>
        name.startsWith("functions/") ? [template] : [],
      );

    test("keeps the resources of earlier deployments: themselves, their versions with permissions, functions and roles", () => {
      const kept = [api(), ...groups()].flatMap((template) =>
        ["ApiGateway::Deployment", "Lambda::Function", "Lambda::Version", "Lambda::Permission"].flatMap((type) =>
          Object.entries(template.all(type)),
        ),
      );
      const of = (type: string) => groups().flatMap((template) => Object.entries(template.all(type)));
      const roles = of("IAM::Role");
      expect(roles.length).toBeGreaterThan(40);
      // A function assumes these roles to sign links.
      const signing = roles.filter(([, { Properties }]) => !Properties.Description.startsWith("Runs functions/"));
      expect(signing.map(([id]) => id.slice(0, -8)).sort()).toEqual([
        "AccessReportReader",
        "DocumentReader",
        "ExportReader",
        "StatementReader",
        "UploadWriter",
      ]);
      for (const [id, { Properties }] of signing) {
        // An inline policy stays with its role; a separate policy would be removed.
        expect(Properties.Policies, id).toHaveLength(1);
        const assuming = of("IAM::Policy").filter(([, each]) => JSON.stringify(each.Properties).includes(`"${id}"`));
        expect(assuming.map(([, each]) => each.Properties.PolicyDocument.Statement[0].Action)).toEqual([
          "sts:AssumeRole",
        ]);
      }
      for (const [id, { DeletionPolicy, Type }] of [...kept, ...roles, ...of("IAM::Policy")]) {
        expect(DeletionPolicy, id).toBe(Type === "AWS::ApiGateway::Deployment" ? "Retain" : "RetainExceptOnCreate");
      }
      for (const template of groups()) {
        const versions = Object.keys(template.all("Lambda::Version"));
        expect(template.properties("Lambda::Permission").map(({ FunctionName }) => FunctionName.Ref)).toEqual(versions);
        for (const permission of Object.values(template.all("Lambda::Permission"))) {
          expect((permission as { UpdateReplacePolicy?: string }).UpdateReplacePolicy).toBe("Retain");
        }
      }
    });

    test("describes the deployment that gets the calls, not one whose release was interrupted before", () => {
      expect(api().json.Outputs?.ReleaseBase?.Value).toEqual({
        "Fn::If": ["LiveDeploymentIsOwn", describeReleaseBase({}), { Ref: "LiveBase" }],
      });
    });

    test("is named by a tag of every stack and by the status page, and changes no other resource of a template", () => {
      const tags = Object.values(assembled().tags[stage]);
      expect(tags.length).toBeGreaterThan(4);
      for (const each of tags) expect(each).toMatchObject({ release, service: "business-data", stage });
      const naming = Object.values(assembled().templates[stage])
        .flatMap(({ json }) => Object.values(json.Resources))
        // The CDK writes the tags of a nested stack into the template of its parent.
        .filter((each) => each.Type !== "AWS::CloudFormation::Stack" && JSON.stringify(each).includes(release));
      expect(naming.map(({ Properties }) => Properties.Description)).toEqual(["functions/description/statusPage.ts"]);
    });

    test("creates new versions only of functions whose environment changes", () => {
      // The functions with a table have its name in their environment, and only the status page names the release.
      if (stage !== "prod") return;
      const versions = (templates: Assembled["restored"], name: string) =>
        Object.keys(templates[name]?.all("Lambda::Version") ?? expect.fail(name));
      const pages = "functions/connect";
      expect(versions(assembled().restored, pages)).toEqual(versions(assembled().templates.prod, pages));
      const tabled = "functions/customers";
      expect(versions(assembled().restored, tabled)).not.toEqual(versions(assembled().templates.prod, tabled));
    });
  });

  const releaseAlarm = () =>
    Object.values(assembled().templates.prod)
      .flatMap((template) => template.properties("CloudWatch::Alarm"))
      .find(({ AlarmName }) => AlarmName === "business-data-prod-release-errors") ?? expect.fail();
  const counts = (calls: number, errors: number) => countsFor(releaseAlarm(), { calls, errors });

  test.each([
    [1_000, 5, true],
    [1_000, 4, false],
    [100, 3, true],
    [100, 2, false],
    [50, 2, true],
    [50, 1, false],
    [25, 1, true],
    [0, 0, false],
  ])("a minute with %i calls and %i failures counts toward the rollback of a release: %s", (calls, errors, bad) => {
    expect(counts(calls, errors)).toBe(bad);
  });

  test.each([25, 40, 100, 1_000])("a canary whose calls all fail is rolled back at %i calls a minute", (calls) => {
    const { EvaluationPeriods: periods, DatapointsToAlarm: needed } = releaseAlarm();
    const { percent, minutes } = stages.prod.aws.canary;
    // The probability that a minute counts, with independent calls and a share of them to the canary.
    const mean = calls * (percent / 100);
    let likely = 0;
    for (let errors = 0, chance = Math.exp(-mean); errors <= 10 * mean; chance *= mean / ++errors) {
      if (counts(calls, errors)) likely += chance;
    }
    // CloudWatch has the numbers of a minute up to two minutes later.
    const seen = minutes - 2;
    let taken = 0;
    for (let pattern = 0; pattern < 2 ** seen; pattern++) {
      const failed = Array.from({ length: seen }, (_, minute) => (pattern >> minute) & 1);
      const rings = failed.some(
        (_, end) => failed.slice(Math.max(0, end + 1 - periods), end + 1).filter(Boolean).length >= needed,
      );
      if (rings) taken += failed.reduce((chance, each) => chance * (each ? likely : 1 - likely), 1);
    }
    expect(taken).toBeGreaterThan(0.99);
  });

  test("single failures in quiet minutes roll no release back", () => {
    expect(releaseAlarm()).toMatchObject({ EvaluationPeriods: 5, DatapointsToAlarm: 3 });
  });
}
