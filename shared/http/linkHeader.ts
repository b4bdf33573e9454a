import { linksPages, type Operation } from "../api/operation.ts";
import type { RequestContext } from "./requestContext.ts";

/**
 * The `Link` header of a list page (RFC 8288): the next and the previous page, as references to the same path with another
 * offset. The previous page of an offset beyond the end is the last page. Empty if there is no other page, and for operations without such links (`linksPages`).
 *
 * @param page.total number of matching records
 * @param page.records number of records on the page
 */
export function linkHeader(
  operation: Pick<Operation, "query" | "secrets">,
  { input, multiValueQueryStringParameters: received }: RequestContext,
  { total, records }: { total: number; records: number },
): { Link?: string } {
  if (!linksPages(operation)) return {};
  const { offset = 0, limit = 0 } = (input?.query ?? {}) as { offset?: number; limit?: number };
  const linkTo = (relation: string, to: number) => {
    const query = new URLSearchParams();
    for (const [name, [value = ""] = []] of Object.entries(received ?? {})) query.set(name, value);
    query.set("offset", String(to));
    return `<?${query}>; rel="${relation}"`;
  };
  const links = [
    ...(records > 0 && offset + records < total ? [linkTo("next", offset + records)] : []),
    ...(offset > 0 ? [linkTo("prev", Math.max(0, offset < total ? offset - limit : lastPage(total, limit)))] : []),
  ];
  return links.length > 0 ? { Link: links.join(", ") } : {};
}

/** The offset of the last page that begins at a multiple of the limit. */
const lastPage = (total: number, limit: number): number => total - 1 - ((total - 1) % limit);
