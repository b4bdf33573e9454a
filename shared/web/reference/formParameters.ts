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
 * - All operations refer to one shared path parameter per name. An id typed into one operation then appears in the other
 *   operations, too.
 * - Optional parameters with enumerated values have an empty example. Scalar would otherwise fill the form with the first value and
 *   send it, so that a list shows only the records that match.
 */
export function withFormParameters<D extends Described>(document: D): D {
  const parameters: Record<string, Parameter> = {};
  const forForm = (parameter: Parameter) => {
    if (parameter.in !== "path") return isChoice(parameter) ? { ...parameter, example: "" } : parameter;
    parameters[parameter.name] ??= parameter;
    return { $ref: `#/components/parameters/${parameter.name}` };
  };
  const paths = mapValues(document.paths, (path) =>
    mapValues(path, (operation) => ({
      ...operation,
      ...(operation.parameters && { parameters: operation.parameters.map(forForm) }),
    })),
  );
  return { ...document, paths, components: { ...document.components, parameters } };
}

const isChoice = ({ required = false, schema }: Parameter): boolean =>
  !required && schema !== undefined && "enum" in schema;

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
