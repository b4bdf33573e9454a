import { describe, expect, test } from "vitest";
import { background } from "../../../infra/stacks/background.ts";
import { workQueues } from "../../../infra/stages/workQueue.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { eventsPartition } from "../../../shared/store/keys/events.ts";
import type { Key } from "../../../shared/store/keys/key.ts";
import { isLike } from "../../system/deployed/iamPolicy.ts";
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
  const policyOf = (handler: string): Statement[] => {
    const [roleId] = functionOf(assembled(), "sandbox", handler).Role["Fn::GetAtt"];
    const template = Object.values(assembled().templates.sandbox).find(({ json }) => json.Resources[roleId]);
    return statementsOf(template ?? expect.fail(), roleId);
  };
  /** The statements of every role of every stage, with its name. */
  const roles = (): { role: string; statements: Statement[] }[] =>
    Object.entries(assembled().templates).flatMap(([stage, stacks]) =>
      Object.values(stacks).flatMap((template) =>
        Object.keys(template.all("IAM::Role")).map((id) => ({
          role: `${stage} ${id}`,
          statements: statementsOf(template, id),
        })),
      ),
    );
  const partitionsOf = ({ Condition }: Statement): string[] =>
    list(Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
  const allows = (handler: string, action: string, { pk }: Pick<Key, "pk">): boolean =>
    policyOf(handler).some(
      (statement) =>
        list(statement.Action).includes(`dynamodb:${action}`) &&
        partitionsOf(statement).some((like) => isLike(pk, like)),
    );
  /** Whether a handler may send messages to a queue, by the id of its construct. */
  const sendsTo = (handler: string, queue: string): boolean =>
    policyOf(handler).some(
      ({ Action, Resource }) => list(Action).includes("sqs:SendMessage") && JSON.stringify(Resource).includes(queue),
    );
  const handlers = [...operationRegistry, ...Object.values(background)]
    .map(({ handler }) => handler)
    .filter((handler) => handler !== "copies/exporter");
  const those = (predicate: (handler: string) => boolean) => handlers.filter(predicate).sort();

  describe("the policies of functions", () => {
    test("name their actions and their resources", () => {
      for (const { role, statements } of roles()) {
        for (const { Action, Resource } of statements) {
          for (const action of list(Action)) expect(action, role).not.toContain("*");
          expect(list(Resource), role).not.toContain("*");
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
      const lengths = roles().map(({ role, statements }) => {
        const text = JSON.stringify(resolved(statements), (_, value) =>
          value && Object.keys(value).some((key) => /^(Ref|Fn::)/.test(key)) ? arn : value,
        );
        return { role, characters: text.length };
      });
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

    test("let each function receive the messages of the queues that invoke it, and of no others", () => {
      for (const { Workers: workers = expect.fail() } of [assembled().templates.sandbox, assembled().templates.prod]) {
        const mappings = workers.properties("Lambda::EventSourceMapping");
        const queuesOf = (functionId: string) =>
          mappings
            .filter(({ FunctionName }) => FunctionName.Ref === functionId)
            .map(({ EventSourceArn }) => EventSourceArn);
        expect(mappings).toHaveLength(Object.keys(workQueues).length);
        for (const [id, { Properties }] of Object.entries(workers.all("Lambda::Function"))) {
          for (const action of ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"]) {
            const allowed = statementsOf(workers, Properties.Role["Fn::GetAtt"][0]).flatMap(({ Action, Resource }) =>
              list(Action).includes(`sqs:${action}`) ? list(Resource) : [],
            );
            expect(new Set(allowed), `${id} ${action}`).toEqual(new Set(queuesOf(id)));
          }
        }
      }
    });

    test("have no condition that is met by leaving out the value that it checks", () => {
      for (const { role, statements } of roles()) {
        for (const operator of statements.flatMap(({ Condition = {} }) => Object.keys(Condition)))
          expect(operator, role).not.toMatch(/IfExists$/);
      }
    });
  });
}
