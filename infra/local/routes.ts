import type { Operation, Route } from "../../shared/api/operation.ts";
import type { Page } from "../../shared/web/pageRoutes.ts";

/** The match of a request: the handler's file, the path on the gateway, and the values of its parameters. */
export interface Found {
  handler: string;
  route: { path: string };
  parameters: Record<string, string>;
}

/** The route that matches a request. */
export interface FoundRoute extends Found {
  operation: Operation;
  route: Route;
}

/**
 * Finds the route of a request as API Gateway does: segment by segment, case-sensitive. A parameter matches one non-empty
 * segment.
 *
 * @param method HEAD matches the GET of the same path (docs/spec.md#methods-and-pages)
 * @param path still percent-encoded; the result has decoded parameters
 */
export function findRoute(
  operationRegistry: readonly Operation[],
  method: string,
  path: string,
): FoundRoute | undefined {
  for (const operation of operationRegistry) {
    for (const route of operation.routes) {
      const parameters = serves(route, method) ? match(route, path) : undefined;
      if (parameters) return { handler: operation.handler, operation, route, parameters };
    }
  }
  return undefined;
}

/** Finds the page of a request by the same rules. */
export function findPage(pages: readonly Page[], method: string, path: string): Found | undefined {
  for (const page of pages) {
    const parameters = serves(page, method) ? match(page, path) : undefined;
    if (parameters) return { handler: page.handler, route: page, parameters };
  }
  return undefined;
}

/** The routes and pages of a path, for all methods. */
export function findAllAt(
  operationRegistry: readonly Operation[],
  pages: readonly Page[],
  path: string,
): (Route | Page)[] {
  return [...operationRegistry.flatMap(({ routes }) => routes), ...pages].filter((each) => match(each, path));
}

const serves = (route: Route | Page, method: string): boolean => route.method === (method === "HEAD" ? "GET" : method);

function match(route: Route | Page, path: string): Record<string, string> | undefined {
  const [template, segments] = [route.path.split("/"), path.split("/")];
  if (template.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name && segment) parameters[name] = decode(segment);
    else if (part !== segment) return undefined;
  }
  return parameters;
}

/** Decodes a segment. A segment with broken percent encoding stays unchanged, since no record has such an id. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
