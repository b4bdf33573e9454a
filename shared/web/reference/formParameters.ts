import { pathIdName } from "../../api/path.ts";

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: object;
  example?: unknown;
}

interface Described {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: object;
}

/**
 * Changes the parameters for the forms of the reference page:
 *
 * - All operations refer to one shared path parameter per id, by its name (`pathIdName`). An id typed into one operation
 *   then appears in the other operations, too.
 * - Optional parameters with enumerated values have no example. It would fill the form, so that a list shows only the
 *   records that match.
 */
export function withFormParameters<D extends Described>(document: D): D {
  const parameters: Record<string, Parameter> = {};
  const forForm = (path: string, { example, ...parameter }: Parameter) => {
    const kept = { ...parameter, ...(example !== undefined && !isChoice(parameter) && { example }) };
    if (parameter.in !== "path") return kept;
    const id = pathIdName(parameter.name, path);
    parameters[id] ??= kept;
    return { $ref: `#/components/parameters/${id}` };
  };
  const paths = mapValues(document.paths, (operations, path) =>
    mapValues(operations, (operation) => ({
      ...operation,
      ...(operation.parameters && { parameters: operation.parameters.map((one) => forForm(path, one)) }),
    })),
  );
  return { ...document, paths, components: { ...document.components, parameters } };
}

const isChoice = ({ required = false, schema }: Parameter): boolean =>
  !required && schema !== undefined && "enum" in schema;

const mapValues = <From, To>(record: Record<string, From>, change: (value: From, key: string) => To) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
