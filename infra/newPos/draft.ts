import type { ConnectablePosType } from "../../shared/api/enumerations.ts";
import type { RecordKind } from "../../shared/kinds.ts";
import { capitalized } from "../scaffold/capitalized.ts";

/** The one kind of records that a new connector reads until its developer adds others. */
export const firstKind = "customer" satisfies RecordKind;

/** A credential as a caller sends it, and the header in which it goes on until its developer knows better. */
export interface Credential {
  name: string;
  type: "string" | "number";
  header: string;
}

/** Everything the files of a new connector are written from. */
export interface Draft {
  posType: ConnectablePosType;
  /** the folder, and the beginning of names: `sageIntacct` */
  name: string;
  /** the page of the docs, and what its invented address begins with: `sage-intacct` */
  page: string;
  businessType: "retail" | "wholesale";
  locationRequired: boolean;
  credentials: readonly Credential[];
}

/** Where a connector asks until its developer names the POS: nowhere, on all networks (RFC 6761). */
export const addressOf = ({ page }: Pick<Draft, "page">): string => `https://${page}.invalid`;

/** The environment variable that names a stand-in. */
export const standInOf = ({ name }: Pick<Draft, "name">): string => `POS_${name.toUpperCase()}_URL`;

/** The files of a new connector that are written by hand from then on. */
export const filesOf = ({ name, page }: Pick<Draft, "name" | "page">) => ({
  answers: `shared/pos/${name}/answers.ts`,
  api: `shared/pos/${name}/${name}Api.ts`,
  connector: `shared/pos/${name}/${name}Connector.ts`,
  customers: `shared/pos/${name}/customers.ts`,
  fake: `test/shared/pos/fakes/fake${capitalized(name)}.ts`,
  test: `test/shared/pos/${name}/customers.test.ts`,
  page: `docs/pos/${page}.md`,
});
