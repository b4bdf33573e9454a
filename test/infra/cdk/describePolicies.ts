import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { eventsPartition } from "../../../shared/store/keys/events.ts";
import type { Key } from "../../../shared/store/keys/key.ts";
import type { Assembled, Template } from "./assembled.ts";
import { functionOf } from "./describeFunctions.ts";
import { resolved } from "./resolved.ts";

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}

const list = <T>(value: T | T[]): T[] => [value].flat() as T[];
const id = "0b54a7c2-3c8e-4d6f-9a01-2b7e5f1c8d90";

/** The permissions of each function. */
export function describePolicies(assembled: () => Assembled): void {
  /** The statements of a role, from its own policies and attached ones. */
  const statementsOf = (template: Template, roleId: string): Statement[] => [
    ...(template.all("IAM::Role")[roleId]?.Properties.Policies ?? []).flatMap(
      ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
    ),
    ...template
      .properties("IAM::Policy")
      .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === roleId))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  ];
  const policyOf = (handler: string, stage: "sandbox" | "prod" = "sandbox"): Statement[] => {
    const [roleId] = functionOf(assembled(), stage, handler).Role["Fn::GetAtt"];
    const template = Object.values(assembled().templates[stage]).find(({ json }) => json.Resources[roleId]);
    return statementsOf(template ?? expect.fail(), roleId);
  };
  const partitionsOf = ({ Condition }: Statement): string[] =>
    list(Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
  const allows = (handler: string, action: string, { pk }: Pick<Key, "pk">): boolean =>
    policyOf(handler).some(
      (statement) =>
        list(statement.Action).includes(`dynamodb:${action}`) &&
        partitionsOf(statement).some((like) => matches(like, pk)),
    );
  /** Whether a handler may send messages to a queue, by the id of its construct. */
  const sendsTo = (handler: string, queue: string): boolean =>
    policyOf(handler).some(
      ({ Action, Resource }) => list(Action).includes("sqs:SendMessage") && JSON.stringify(Resource).includes(queue),
    );
  const handlers = [
    ...operationRegistry.map(({ handler }) => handler),
    "replication/worker",
    "replication/planner",
    "restorations/worker",
    "invitations/feedback",
    "invitations/sender",
    "invitations/sweeper",
    "deposits/sweeper",
    "insights/sweeper",
    "overview/sweeper",
    "stateSystems/sweeper",
    "documents/sweeper",
    "exports/worker",
    "statements/worker",
    "exports/sweeper",
    "linkedLicenses/comparer",
    "webhooks/deliverer",
    "webhooks/sweeper",
  ];
  const those = (predicate: (handler: string) => boolean) => handlers.filter(predicate).sort();

  describe("the policies of functions", () => {
    test("name their actions and their resources", () => {
      for (const [stage, stacks] of Object.entries(assembled().templates)) {
        for (const template of Object.values(stacks)) {
          for (const roleId of Object.keys(template.all("IAM::Role"))) {
            for (const { Action, Resource } of statementsOf(template, roleId)) {
              for (const action of list(Action)) expect(action, `${stage} ${roleId}`).not.toContain("*");
              expect(list(Resource), `${stage} ${roleId}`).not.toContain("*");
            }
          }
        }
      }
    });

    test("limit every access to the table to partitions", () => {
      for (const handler of handlers) {
        for (const statement of policyOf(handler)) {
          if (!list(statement.Action).some((action) => action.startsWith("dynamodb:"))) continue;
          expect(Object.keys(statement.Condition ?? {}), handler).toEqual(["ForAllValues:StringLike"]);
          expect(partitionsOf(statement).length, handler).toBeGreaterThan(0);
          for (const partition of partitionsOf(statement)) expect(partition, handler).toMatch(/^[A-Z][A-Z_]+(#|$)/);
        }
      }
    });

    test("allow an action on all its partitions in one statement, so that one call may access them all", () => {
      for (const handler of handlers) {
        const pairs = policyOf(handler)
          .filter((statement) => partitionsOf(statement).length > 0)
          .flatMap(({ Action, Resource }) => list(Action).map((action) => `${action} ${JSON.stringify(Resource)}`));
        expect(new Set(pairs).size, handler).toBe(pairs.length);
      }
    });

    test("use at most nine tenths of the 10,240 characters that IAM allows for the policies of a role", () => {
      // An ARN of a stage, such as that of a queue, has at most as many characters.
      const arn = "x".repeat(120);
      const lengths = Object.entries(assembled().templates).flatMap(([stage, stacks]) =>
        Object.values(stacks).flatMap((template) =>
          Object.keys(template.all("IAM::Role")).map((roleId) => {
            const statements = JSON.stringify(resolved(statementsOf(template, roleId)), (_, value) =>
              value && Object.keys(value).some((key) => /^(Ref|Fn::)/.test(key)) ? arn : value,
            );
            return { role: `${stage} ${roleId}`, characters: statements.length };
          }),
        ),
      );
      const [largest = expect.fail()] = lengths.sort((a, b) => b.characters - a.characters);
      expect(largest.characters, largest.role).toBeGreaterThan(5_000);
      expect(largest.characters, largest.role).toBeLessThanOrEqual(0.9 * 10_240);
    });

    test("allow requests for deliveries only where events get positions or a webhook endpoint changes", () => {
      const places = those((handler) => allows(handler, "PutItem", { pk: eventsPartition(id, 3) }));
      const asks = those((handler) => sendsTo(handler, "WebhooksQueue"));
      expect(asks).toEqual([...places, "webhooks/updateWebhookEndpoint"].sort());
      expect(places).toContain("webhooks/sweeper");
    });

    test("have no condition that is met by leaving out the value that it checks", () => {
      for (const [stage, stacks] of Object.entries(assembled().templates)) {
        for (const template of Object.values(stacks)) {
          for (const roleId of Object.keys(template.all("IAM::Role"))) {
            for (const { Condition = {} } of statementsOf(template, roleId)) {
              for (const operator of Object.keys(Condition))
                expect(operator, `${stage} ${roleId}`).not.toMatch(/IfExists$/);
            }
          }
        }
      }
    });
  });
}

/** IAM's StringLike: `?` matches any character, `*` any text. */
function matches(like: string, text: string): boolean {
  const pattern = like
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("?", ".")
    .replaceAll("*", ".*");
  return new RegExp(`^${pattern}$`).test(text);
}
