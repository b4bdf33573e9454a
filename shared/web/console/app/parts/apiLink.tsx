import { type OperationId, operationAnchor } from "../operations.ts";
import { useSession } from "../session.tsx";

/** The link to the operation of the API that returns a figure. */
export function ApiLink({ operation }: { operation: OperationId }) {
  const { api } = useSession();
  return (
    <a
      class="api"
      href={`${api}docs${operationAnchor(operation)}`}
      target="_blank"
      rel="noreferrer"
      title={operation}
      aria-label={`API: ${operation}, in a new tab`}
    >
      API
    </a>
  );
}
