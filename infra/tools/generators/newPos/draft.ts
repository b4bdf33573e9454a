import type { ConnectablePosType } from "../../../../shared/api/enumerations.ts";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { capitalized } from "../files/capitalized.ts";

/**
 * The kinds of records that a new connector reads: the kinds that a bank needs most. The connector's developer adds the
 * other kinds.
 */
export const kindsRead: readonly RecordKind[] = ["inventory", "sale"];

/** A credential as a caller sends it, and the made-up header that carries it to the POS. */
export interface Credential {
  name: string;
  type: "string" | "number";
  header: string;
}

/** The facts from which the files of a new connector are generated. */
export interface Draft {
  posType: ConnectablePosType;
  /** the folder, and the beginning of names: `sageIntacct` */
  name: string;
  /** the page of the docs, and the first part of the invented address: `sage-intacct` */
  page: string;
  businessType: "retail" | "wholesale";
  locationRequired: boolean;
  credentials: readonly Credential[];
}

/** The address of a new connector until its developer sets the real one. No network resolves it (RFC 6761). */
export const addressOf = ({ page }: Pick<Draft, "page">): string => `https://${page}.invalid`;

/** The environment variable with the address of a fake POS. */
export const testEndpointOf = ({ name }: Pick<Draft, "name">): string => `POS_${name.toUpperCase()}_URL`;

/** The new files. The developer edits them by hand. */
export const filesOf = ({ name, page }: Pick<Draft, "name" | "page">) => ({
  answers: `shared/pos/connectors/${name}/responses.ts`,
  api: `shared/pos/connectors/${name}/${name}Api.ts`,
  connector: `shared/pos/connectors/${name}/${name}Connector.ts`,
  inventory: `shared/pos/connectors/${name}/inventory.ts`,
  sales: `shared/pos/connectors/${name}/sales.ts`,
  fake: `test/shared/pos/fakes/fake${capitalized(name)}.ts`,
  test: `test/shared/pos/connectors/${name}/records.test.ts`,
  page: `docs/pos/${page}.md`,
});
