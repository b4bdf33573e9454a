import type { APIGatewayProxyEvent } from "aws-lambda";

/** The request headers that `names` lists in lower case. */
export const headersOf = (event: APIGatewayProxyEvent, names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(
    names.map((name) => [name, headerOf(event, name)] as const).filter(([, value]) => value !== undefined),
  );

/**
 * A request header's value by its lower-case name; undefined if absent. If the header occurs several times, even with
 * different letter case, all values are joined by commas, as in HTTP.
 */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const valuesIn = (headers: Record<string, string | string[] | undefined> | null) =>
    Object.entries(headers ?? {}).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
  const all = valuesIn(event.multiValueHeaders);
  const values = all.length > 0 ? all : valuesIn(event.headers);
  return values.length > 0 ? values.join(", ") : undefined;
}
