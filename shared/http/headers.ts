import type { APIGatewayProxyEvent } from "aws-lambda";

/** Those of some headers (lower-case names) that a request has. */
export const headersOf = (event: APIGatewayProxyEvent, names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(
    names.map((name) => [name, headerOf(event, name)] as const).filter(([, value]) => value !== undefined),
  );

/**
 * A request header's value by its lower-case name; undefined when it is absent. One that was sent more than once, in
 * whatever letter case, gives all its values joined, as HTTP has it.
 */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const valuesIn = (headers: Record<string, string | string[] | undefined> | null) =>
    Object.entries(headers ?? {}).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
  const all = valuesIn(event.multiValueHeaders);
  const values = all.length > 0 ? all : valuesIn(event.headers);
  return values.length > 0 ? values.join(", ") : undefined;
}
