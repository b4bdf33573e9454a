/** A statement of an IAM policy. */
export interface Statement {
  Effect: "Allow" | "Deny";
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

/** A call as IAM sees it: one action on one resource, with the condition keys that AWS adds. */
export interface Access {
  /** Such as `dynamodb:GetItem`. */
  action: string;
  resource: string;
  /** Values by condition key; a missing key is missing in the request. */
  context?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Whether statements permit an access, as IAM decides it: one statement allows all of it, and none denies it.
 *
 * @throws Error for an unsupported condition, so that none is ignored
 */
export function permits(statements: readonly Statement[], access: Access): boolean {
  const fitting = statements.filter((statement) => fits(statement, access));
  return fitting.some(({ Effect }) => Effect === "Allow") && !denies(statements, access);
}

/** Whether one of the statements denies an access, whatever others allow. */
export const denies = (statements: readonly Statement[], access: Access): boolean =>
  statements.some((statement) => statement.Effect === "Deny" && fits(statement, access));

const list = (values: string | readonly string[]): readonly string[] => [values].flat();

function fits({ Action, Resource, Condition = {} }: Statement, { action, resource, context = {} }: Access): boolean {
  return (
    list(Action).some((pattern) => isLike(action, pattern)) &&
    list(Resource).some((pattern) => isLike(resource, pattern)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, expected]) => holds(operator, context[key], list(expected))),
    )
  );
}

/** @param values of the condition key in the request; undefined if the request has none */
function holds(operator: string, values: readonly string[] | undefined, expected: readonly string[]): boolean {
  const [, set, test, ifExists] = /^(?:(ForAllValues):)?([A-Za-z]+?)(IfExists)?$/.exec(operator) ?? [];
  if (test === "Null") return expected[0] === String(values === undefined);
  if (test === "StringNotEquals") return !holds("StringEquals", values, expected);
  const compare = comparisons[test ?? ""];
  if (!compare) throw new Error(`the policy has a condition ${operator}, which the test stage does not know`);
  if (values === undefined) return set !== undefined || ifExists !== undefined;
  return values.every((value) => expected.some((pattern) => compare(value, pattern)));
}

/** Whether a text matches a pattern, in which `*` is any text and `?` any character. */
export function isLike(text: string, pattern: string): boolean {
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, (sign) => ({ "*": ".*", "?": "." })[sign] ?? `\\${sign}`);
  return new RegExp(`^${source}$`, "s").test(text);
}

const comparisons: Readonly<Record<string, (value: string, expected: string) => boolean>> = {
  StringEquals: (value, expected) => value === expected,
  StringLike: isLike,
  Bool: (value, expected) => value === expected,
  NumericLessThan: (value, expected) => Number(value) < Number(expected),
};
