import { describe, expect, test } from "vitest";
import { permits, type Statement } from "./iamPolicy.ts";
import { tableAccesses } from "./tableAccess.ts";

const tables = "arn:aws:dynamodb:us-east-1:000000000000:table/";
const statement: Statement = {
  Effect: "Allow",
  Action: ["dynamodb:BatchGetItem", "dynamodb:PutItem", "dynamodb:Query"],
  Resource: `${tables}t`,
  Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["CRB#??", "LIST#*"] } },
};

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "x" } });
const may = (operation: string, request: Parameters<typeof tableAccesses>[1]) =>
  tableAccesses(operation, request, tables).every((access) => permits([statement], access));
const query = (pk: string) => ({
  TableName: "t",
  KeyConditionExpression: "#key = :pk AND sk BETWEEN :a AND :b",
  ExpressionAttributeNames: { "#key": "pk" },
  ExpressionAttributeValues: { ":pk": { S: pk } },
});

describe("a request to the table", () => {
  test.each<[string, string, Parameters<typeof tableAccesses>[1], boolean]>([
    ["an action that is granted", "PutItem", { TableName: "t", Item: key("CRB#12") }, true],
    ["one that is not", "GetItem", { TableName: "t", Key: key("CRB#12") }, false],
    ["another table", "PutItem", { TableName: "u", Item: key("CRB#12") }, false],
    ["a key of another length", "PutItem", { TableName: "t", Item: key("CRB#123") }, false],
    ["a query", "Query", query("LIST#any"), true],
    ["a query of another partition", "Query", query("SECRET"), false],
    ["a query of an index", "Query", { ...query("LIST#any"), IndexName: "byRank" }, false],
    ["a scan", "Scan", { TableName: "t" }, false],
    ["a batch", "BatchGetItem", { RequestItems: { t: { Keys: [key("CRB#12"), key("LIST#")] } } }, true],
    [
      "a batch with one key too many",
      "BatchGetItem",
      { RequestItems: { t: { Keys: [key("CRB#12"), key("x")] } } },
      false,
    ],
    [
      "a transaction",
      "TransactWriteItems",
      { TransactItems: [{ Put: { TableName: "t", Item: key("LIST#1") } }] },
      true,
    ],
    [
      "a transaction with one item too many",
      "TransactWriteItems",
      {
        TransactItems: [
          { Put: { TableName: "t", Item: key("LIST#1") } },
          { Delete: { TableName: "t", Key: key("LIST#1") } },
        ],
      },
      false,
    ],
  ])("is allowed or denied as on AWS: %s", (_, operation, request, permitted) =>
    expect(may(operation, request)).toBe(permitted),
  );
});

test("a condition on another tag also applies without any tag, unless a second condition requires one", () => {
  const other = { "aws:ResourceTag/stage": "prod" };
  const deny = (Condition: Statement["Condition"]): Statement => ({
    ...{ Effect: "Deny", Action: "*", Resource: "*" },
    ...(Condition && { Condition }),
  });
  const permitted = (condition: Statement["Condition"]) =>
    [["prod"], ["sandbox"], undefined].map((values) =>
      permits([{ Effect: "Allow", Action: "*", Resource: "*" }, deny(condition)], {
        action: "kms:Decrypt",
        resource: "x",
        context: values ? { "aws:ResourceTag/stage": values } : {},
      }),
    );
  expect(permitted({ StringNotEquals: other })).toEqual([true, false, false]);
  const isThere = { "aws:ResourceTag/stage": "false" };
  expect(permitted({ StringNotEquals: other, Null: isThere })).toEqual([true, false, true]);
});

test("a denial overrides an allowance", () => {
  const access = { action: "s3:GetObject", resource: "arn:aws:s3:::b/k" };
  const allow: Statement = { Effect: "Allow", Action: "s3:*", Resource: "arn:aws:s3:::b/*" };
  expect(permits([allow], access)).toBe(true);
  expect(permits([allow, { ...allow, Effect: "Deny" }], access)).toBe(false);
});

test("a condition on a key that the request lacks is evaluated as on AWS", () => {
  const access = (context: Record<string, string[]>) => ({ action: "kms:Encrypt", resource: "k", context });
  const under = (Condition: NonNullable<Statement["Condition"]>): Statement[] => [
    { Effect: "Allow", Action: "kms:Encrypt", Resource: "k", Condition },
  ];
  expect(permits(under({ Null: { crb: "false" } }), access({ crb: ["1"] }))).toBe(true);
  expect(permits(under({ Null: { crb: "false" } }), access({}))).toBe(false);
  expect(permits(under({ StringEquals: { crb: "1" } }), access({}))).toBe(false);
  expect(permits(under({ StringLikeIfExists: { crb: "1*" } }), access({}))).toBe(true);
  expect(permits(under({ StringLikeIfExists: { crb: "1*" } }), access({ crb: ["2"] }))).toBe(false);
  expect(() => permits(under({ DateLessThan: { crb: "1" } }), access({}))).toThrow("DateLessThan");
});
