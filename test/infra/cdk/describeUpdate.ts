import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { oneStackApi } from "../../oneStackApi.ts";
import type { Assembled, Properties, Template } from "./assembled.ts";

/** Resources that hold data or have an address that others know, and the properties whose change would replace them. */
const lasting: Readonly<Record<string, readonly string[]>> = {
  "AWS::DynamoDB::Table": ["TableName", "KeySchema"],
  "AWS::S3::Bucket": ["BucketName"],
  "AWS::KMS::Key": ["KeySpec", "KeyUsage", "MultiRegion"],
  // A change of how a secret is generated would generate another one.
  "AWS::SecretsManager::Secret": ["Name", "GenerateSecretString", "SecretString"],
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::SNS::Topic": ["TopicName", "FifoTopic"],
  "AWS::ApiGateway::RestApi": [],
  "AWS::ApiGateway::Stage": ["StageName", "RestApiId"],
};

/** A deployment can change an existing stage and be rolled back. The emulator replaces fewer resources than AWS. */
export function describeUpdate(assembled: () => Assembled): void {
  describe("a stage that was deployed when its API was one stack", () => {
    const before = oneStackApi();
    /** In the order of their deployment. */
    const parts = ["Data", "Monitoring", "Background", "Api"];
    const present = (part: string): Template => assembled().templates.sandbox[part] ?? expect.fail();
    const past = (part: string) => before[`business-data-sandbox-${part.toLowerCase()}`] ?? expect.fail();

    test("keeps all resources with data, and its address", () => {
      let kept = 0;
      for (const part of parts) {
        for (const [id, { Type, Properties }] of Object.entries(past(part).Resources)) {
          const decisive = lasting[Type];
          // CloudTrail now writes to the bucket of the access log. The earlier bucket of its log stays without the stack.
          const isReplaced = Type === "AWS::S3::Bucket" && id.startsWith("AccessLog");
          if (!decisive || isReplaced) continue;
          kept++;
          const now = present(part).json.Resources[id];
          expect(now?.Type, id).toBe(Type);
          const of = (properties: Properties = {}) => decisive.map((name) => properties[name]);
          expect(of(now?.Properties), id).toEqual(of(Properties));
        }
      }
      expect(kept).toBeGreaterThan(10);
    });
  });

  describe.each(["sandbox", "prod"] as const)("the stacks of %s", (stage) => {
    const templates = () => Object.entries(assembled().templates[stage]);

    test("have templates without indentation, which have a limit of 1 MB", () => {
      for (const file of assembled().files) expect(readFileSync(file, "utf8").trimEnd(), file).not.toContain("\n");
    });

    test("export only the documents' bucket, which no release removes", () => {
      const exported = templates().flatMap(([, { json }]) =>
        Object.values(json.Outputs ?? {}).flatMap(({ Export, Value }) => (Export ? [JSON.stringify(Value)] : [])),
      );
      expect(exported).toHaveLength(2);
      for (const value of exported) expect(value).toMatch(/"Documents\w+"/);
    });

    test("import only the documents' bucket", () => {
      for (const [name, { json }] of templates()) {
        for (const [, imported] of JSON.stringify(json).matchAll(/"Fn::ImportValue":("[^"]*"|.)/g)) {
          expect(imported, name).toMatch(/^"business-data-\w+-data:ExportsOutput\w*Documents/);
        }
      }
    });
  });
}
