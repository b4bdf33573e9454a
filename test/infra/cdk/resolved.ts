/** Resolves a part of a template for one account and region. */
export function resolved(part: unknown): unknown {
  const values: Record<string, string> = { Partition: "aws", AccountId: "123456789012", Region: "us-west-2" };
  const known = JSON.stringify(part).replace(/\{"Ref":"AWS::(\w+)"\}/g, (_, name) => JSON.stringify(values[name]));
  return JSON.parse(known, (_, value) =>
    value?.["Fn::Join"] ? value["Fn::Join"][1].join(value["Fn::Join"][0]) : value,
  );
}
