import type { Statement } from "../../system/deployed/iamPolicy.ts";
import type { Template } from "./assembled.ts";

/** Resolves a part of a template for one account and region. */
export function resolved(part: unknown): unknown {
  const values: Record<string, string> = { Partition: "aws", AccountId: "123456789012", Region: "us-west-2" };
  const known = JSON.stringify(part).replace(/\{"Ref":"AWS::(\w+)"\}/g, (_, name) => JSON.stringify(values[name]));
  return JSON.parse(known, (_, value) =>
    value?.["Fn::Join"] ? value["Fn::Join"][1].join(value["Fn::Join"][0]) : value,
  );
}

type Policy = { PolicyDocument: unknown };

const statementsIn = (policies: readonly Policy[]): Statement[] =>
  policies.flatMap(({ PolicyDocument }) => (resolved(PolicyDocument) as { Statement: Statement[] }).Statement);

/** The statements of the only role of a stack. */
export const roleStatements = (template: Template): Statement[] => statementsIn(template.one("IAM::Role").Policies);

/** The statements of the managed policies of a stack. */
export const managedStatements = (template: Template): Statement[] =>
  statementsIn(template.properties("IAM::ManagedPolicy") as Policy[]);
