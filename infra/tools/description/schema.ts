/** A schema of OpenAPI 3.1, with the keywords that are compared one by one. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  [keyword: string]: unknown;
}

/** The named schemas of a description, `components.schemas`. */
export type Schemas = Record<string, Schema>;
