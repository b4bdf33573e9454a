import type { Operation, Route } from "../operation.ts";
import { operationRegistry } from "../operationRegistry.ts";

const operations = new Map<string, Operation>(
  operationRegistry.flatMap((operation) =>
    operation.routes.map(({ operationId }) => [operationId, operation] as const),
  ),
);

/** A text in which each operation has the name of the route by which a caller reaches it, where there is such a route. */
export const adaptTextToCaller = (text: string, { caller }: Pick<Route, "caller">): string =>
  text.replaceAll(/`(\w+)`/g, (named, id) => {
    const own = operations.get(id)?.routes.find((route) => route.caller === caller);
    return own ? `\`${own.operationId}\`` : named;
  });
