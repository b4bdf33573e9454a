import type { Operation, Route } from "../../shared/api/operation.ts";

/** A route that fits a request, and the values of its path parameters. */
export interface FoundRoute {
  operation: Operation;
  route: Route;
  parameters: Record<string, string>;
}

/**
 * Finds the route of a request, as API Gateway does: segment by segment, letter by letter, a parameter being one
 * segment that is not empty.
 *
 * @param method a HEAD is served by the GET of the same path (contract 1)
 * @param path still percent-encoded; parameters come out decoded
 */
export function findRoute(catalogue: readonly Operation[], method: string, path: string): FoundRoute | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  const segments = path.split("/");
  for (const operation of catalogue) {
    for (const route of operation.routes) {
      const parameters = route.method === wanted ? match(route.path.split("/"), segments) : undefined;
      if (parameters) return { operation, route, parameters };
    }
  }
  return undefined;
}

function match(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
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
