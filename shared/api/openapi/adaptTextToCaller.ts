import type { Operation, Route } from "../operation.ts";
import { operationRegistry } from "../operationRegistry.ts";

const operations = new Map<string, Operation>(
  operationRegistry.flatMap((operation) =>
    operation.routes.map(({ operationId }) => [operationId, operation] as const),
  ),
);

/** Replaces operation names in a text by the names of the caller's routes, where the caller has such a route. */
export const adaptTextToCaller = (text: string, { caller }: Pick<Route, "caller">): string =>
  text.replaceAll(/`(\w+)`/g, (named, id) => {
    const own = operations.get(id)?.routes.find((route) => route.caller === caller);
    return own ? `\`${own.operationId}\`` : named;
  });
