import type { Operation, Route } from "../../shared/api/operation.ts";
import type { Page } from "../../shared/web/pageRoutes.ts";

/** What fits a request: its handler's file, the path that it has on the gateway, and the values of the parameters in it. */
export interface Found {
  handler: string;
  route: { path: string };
  parameters: Record<string, string>;
}

/** A route that fits a request. */
export interface FoundRoute extends Found {
  operation: Operation;
  route: Route;
}

/**
 * Finds the route of a request, as API Gateway does: segment by segment, letter by letter, a parameter being one
 * segment that is not empty.
 *
 * @param method a HEAD is served by the GET of the same path (docs/spec.md#methods-and-pages)
 * @param path still percent-encoded; parameters come out decoded
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

/** Finds the page of a request, in the same way. */
export function findPage(pages: readonly Page[], method: string, path: string): Found | undefined {
  for (const page of pages) {
    const parameters = serves(page, method) ? match(page, path) : undefined;
    if (parameters) return { handler: page.handler, route: page, parameters };
  }
  return undefined;
}

/** The routes and pages that a path has, whatever their methods. */
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

/** A segment whose percent encoding is broken stays as it came: then it is an id that nothing has. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
