import type { APIGatewayProxyEvent } from "aws-lambda";

/** Those of some headers (lower-case names) that a request has. */
export const headersOf = (event: APIGatewayProxyEvent, names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(
    names.map((name) => [name, headerOf(event, name)] as const).filter(([, value]) => value !== undefined),
  );

/**
 * A request header's value by its lower-case name; undefined when it is absent. One that was sent more than once gives
 * its values joined, as HTTP has it.
 */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const named = ([key]: [string, unknown]) => key.toLowerCase() === name;
  const values = Object.entries(event.multiValueHeaders ?? {}).find(named)?.[1];
  return values?.join(", ") ?? Object.entries(event.headers ?? {}).find(named)?.[1];
}
