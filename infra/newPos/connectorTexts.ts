import { capitalized } from "../scaffold/capitalized.ts";
import { type Credential, type Draft, filesOf, firstKind } from "./draft.ts";

// The connector of a new POS as text, in the style of canix. The formatter breaks its lines.

/** The files below shared/, by their path in the project. */
export function connectorTexts(draft: Draft): Map<string, string> {
  const files = filesOf(draft);
  return new Map([
    [files.answers, answersText(draft)],
    [files.api, apiText(draft)],
    [files.connector, connectorText(draft)],
    [files.customers, draft.businessType === "retail" ? personText : companyText],
  ]);
}

/** What an answer tells of who buys from a shop, a person, and from a wholesaler, a company. */
const ownFields = {
  retail: "first_name: text, last_name: text, birth_date: text,",
  wholesale: "name: text, license_number: text,",
} as const;

const answersText = ({ posType, businessType }: Draft): string => `import * as z from "zod";
import { id, instant, text } from "../reading/wireFields.ts";

// What is read of ${posType}'s answers. Fields that are not named here pass unread.
// TODO: all fields are made up. Name those that the API has, and which of them hold dollars, which cents.

export const rows = z.array(z.unknown());

export const store = z.object({ id, name: text, address: text });

export const customer = z.object({
  id,
  ${ownFields[businessType]}
  street: text,
  city: text,
  state: text,
  zip: text,
  phone: text,
  email: text,
  updated_at: instant,
});
export type Customer = z.output<typeof customer>;
`;

const apiText = ({ posType, name, credentials }: Draft): string => `import type { Connection } from "../connector.ts";
import { JsonApi } from "../reading/jsonApi.ts";
import type { PagedList } from "../reading/pagedList.ts";
import type { PosCall, PosClient } from "../reading/posClient.ts";
import { type PosPath, posPath } from "../reading/posPath.ts";
import { parted, readRow } from "../reading/readRow.ts";
import { credentialOf } from "../reading/refusal.ts";
import type { StoreApi, Stores } from "../reading/storeConnector.ts";
import { rows, store } from "./answers.ts";

/** The most rows that ${posType} gives at once. */
// TODO: as its documents say.
const pageSize = 100;

/** ${posType}, as one connection's credentials reach it. */
export class ${capitalized(name)}Api implements StoreApi {
  readonly #api: JsonApi;

  constructor(client: PosClient, { crbId, credentials }: Connection) {
    // TODO: send the credentials as the API wants them: other headers, Basic, a token (treez/treezAccess.ts).
    const headers = { ${credentials.map(headerText).join(", ")} };
    // TODO: give \`refusalOf\` where answers that refuse are not told by their status alone.
    this.#api = new JsonApi({ client, lane: crbId, headers });
  }

  async stores(options: Partial<PosCall>): Promise<Stores> {
    // TODO: the request that refuses wrong credentials and tells which stores right ones reach.
    const { body, date } = await this.#api.read(rows, posPath\`/v1/stores\`, {}, options);
    const { rows: found, rejected } = parted(body.map((row) => readRow(store, row, (field) => field("id"))));
    const stores = found.map(({ id, name, address }) => ({ id, name: name ?? \`Store \${id}\`, address }));
    return { stores, hasUnreadable: rejected.length > 0, date };
  }

  /**
   * A list of a store.
   *
   * @param fullEveryDays as of PagedList
   */
  list(path: PosPath, storeId: string, fullEveryDays: number): PagedList {
    // TODO: how pages and changes are asked for, in which order rows come, by what a list ends.
    return {
      size: pageSize,
      fullEveryDays,
      isOrdered: true,
      idField: "id",
      fetch: async (since, index, size) => {
        const changed = since && { updated_since: since.toISOString() };
        const query = { store_id: storeId, page: index + 1, page_size: size, ...changed };
        const { body } = await this.#api.read(rows, path, query);
        return { rows: body, isLast: body.length === 0 };
      },
    };
  }
}
`;

function headerText({ name, type, header }: Credential): string {
  const value = type === "number" ? `credentials.${name}?.toString()` : `credentials.${name}`;
  return `"${header}": credentialOf(${value})`;
}

const connectorText = ({ posType, name, page }: Draft): string => `import type { Connector } from "../connector.ts";
import type { ConnectorOptions } from "../reading/connectorOptions.ts";
import { pagedRecords } from "../reading/pagedList.ts";
import { PosClient } from "../reading/posClient.ts";
import { posPath } from "../reading/posPath.ts";
import { storeConnector } from "../reading/storeConnector.ts";
import { customer } from "./answers.ts";
import { customerRecord } from "./customers.ts";
import { ${capitalized(name)}Api } from "./${name}Api.ts";

/** So often all is read again. */
const weekly = 7;

/** ${posType} (docs/pos/${page}.md). */
export function ${name}Connector(options: ConnectorOptions): Connector {
  const client = new PosClient(options);
  return storeConnector(options, (connection) => new ${capitalized(name)}Api(client, connection), {
    // TODO: the other kinds that the POS has; take each of them out of \`lacks\` in shared/api/pos/posTypes.ts.
    ${firstKind}: (pull) =>
      pagedRecords(pull, pull.api.list(posPath\`/v1/customers\`, pull.store.id, weekly), {
        schema: customer,
        posIdOf: (field) => field("id"),
        make: (row) => [customerRecord(row)],
      }),
  });
}
`;

const personText = `import { plainDay } from "../conversions/instants.ts";
import type { PosCustomer } from "../posRecords.ts";
import type { Customer } from "./answers.ts";

// TODO: null is what the POS does not tell.
export function customerRecord(row: Customer): PosCustomer {
  return {
    pos_customer_id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    middle_name: null,
    dob: plainDay(row.birth_date),
    address_1: row.street,
    address_2: null,
    city: row.city,
    state: row.state,
    zip_code: row.zip,
    phone: row.phone,
    cell_phone: null,
    email_address: row.email,
    gender: null,
    pos_identification_type: null,
    pos_customer_type: null,
    svc_customer_type: null,
    medical_id: null,
    medical_id_expiration_date: null,
    drivers_license_id: null,
    drivers_license_expiration_date: null,
    other_id: null,
    other_id_expiration_date: null,
    caregiver: null,
    loyalty_member: null,
    loyalty_points: null,
    anonymous: null,
    pos_updated_date: row.updated_at,
  };
}
`;

const companyText = `import type { PosCustomer } from "../posRecords.ts";
import { companyRecord } from "../reading/companyRecord.ts";
import type { Customer } from "./answers.ts";

// TODO: a buyer of a wholesaler is taken to be a company.
export function customerRecord(row: Customer): PosCustomer {
  return companyRecord({
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    license: row.license_number,
    address: [row.street, null, row.city, row.state, row.zip],
    updated: row.updated_at,
  });
}
`;
