import { type Elements, readXml, writeXml } from "../../../../shared/pos/connectors/intacct/xml.ts";
import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import {
  document,
  type IntacctObject,
  type IntacctRow,
  type ListedRow,
  listed,
  objectOf,
  related,
} from "./intacctRows.ts";
import { ShopServer } from "./shopServer.ts";

/** The elements of a request, as the connector sends them. */
type RequestElements = Readonly<Record<string, string>> & { [name: string]: RequestElements };

const failed = (errorno: string, description2: string): Elements => ({ error: { errorno, description2 } });

/**
 * A fake of the part of Sage Intacct that the connector reads (docs/pos/sage-intacct.md): a company of two entities,
 * one of them the shop. Sessions are used at another path than the login.
 */
export class FakeIntacct extends ShopServer {
  readonly credentials = {
    company_id: "intacct-company",
    user_id: "intacct-user",
    user_password: "intacct-pass<&>word",
  };
  readonly partnerKeys = { POS_INTACCT_SENDER_ID: "intacct-sender", POS_INTACCT_SENDER_PASSWORD: "sender-password" };
  /** objects that the user cannot read */
  readonly closed = new Set<string>();
  readonly unknown = new Set<string>();
  /** fields that no object has for this company */
  readonly missing = new Set<string>();
  /** the maximum number of rows of a page; small lists have pages too */
  maxRows = this.shop.sales.length > 1000 ? 1000 : 25;
  /** the entities of the company */
  entities = ["E100", "E200"];
  /** the endpoint for sessions, as the login returns it; a test may set any text */
  endpoint = "";
  /** the entity of each session, by session id */
  readonly sessions = new Map<string, string>();

  override write = (body: unknown) => writeXml(body as Elements);

  protected answer({ path, body }: FakeRequest): FakeAnswer {
    const { control, operation } = readXml(body).request as Readonly<Record<string, RequestElements | undefined>>;
    const { POS_INTACCT_SENDER_ID: senderid, POS_INTACCT_SENDER_PASSWORD: password } = this.partnerKeys;
    if (control?.senderid !== senderid || control.password !== password) {
      const errormessage = failed("XL03000006", "Incorrect Intacct XML Partner ID or password.");
      return { body: { response: { control: { status: "failure" }, errormessage } } };
    }
    const { authentication, content } = operation ?? {};
    const { login, sessionid = "" } = authentication ?? ({} as RequestElements);
    const entity = login ? this.#entityOf(login) : this.sessions.get(sessionid);
    if (entity === undefined) {
      const errormessage = failed("XL03000006", "Sign-in information is incorrect");
      return answered({ authentication: { status: "failure" }, errormessage });
    }
    const ask = content?.function ?? ({} as RequestElements);
    const result = "getAPISession" in ask ? this.#newSession(entity) : this.#resultOf(path, ask, entity);
    return answered({ authentication: { status: "success" }, result });
  }

  #objectOf(object: string, entity: string): IntacctObject | undefined {
    if (object !== "LOCATIONENTITY") return objectOf(this.shop, object, entity);
    const rows = this.entities.map((LOCATIONID, at) => ({ RECORDNO: `${at + 1}`, LOCATIONID, NAME: `No. ${at}` }));
    return { sample: rows[0], rows: () => rows.map(listed) };
  }

  #entityOf({ companyid, userid, password, locationid }: RequestElements): string | undefined {
    const { company_id, user_id, user_password } = this.credentials;
    const isUser = companyid === company_id && userid === user_id && password === user_password;
    return isUser ? (locationid ?? "") : undefined;
  }

  #newSession(entity: string): Elements {
    const sessionid = `Plantedsession${this.sessions.size}`;
    this.sessions.set(sessionid, entity);
    const endpoint = this.endpoint || `${this.url}/ia/p2/xmlgw.phtml`;
    return { status: "success", data: { api: { sessionid, endpoint } } };
  }

  #resultOf(path: string, { lookup, query }: RequestElements, entity: string): Elements {
    const name = (lookup ?? query)?.object ?? "";
    if (path !== "/ia/p2/xmlgw.phtml") return failure("XL03000001", "Another endpoint");
    if (this.closed.has(name)) return failure("PL04000005", "You do not have permission for API operation READ");
    const object = this.unknown.has(name) ? undefined : this.#objectOf(name, entity);
    if (!object) return failure("DL03000003", "Object definition not found");
    // An adjustment has the fields of an invoice.
    const { sample = this.shop.sales.slice(0, 1).map((sale) => document(sale, 0))[0] } = object;
    const fields = Object.keys(sample ?? {}).filter((field) => !this.missing.has(field));
    if (lookup) return { status: "success", data: { Type: typeOf(name, fields) } };
    const wanted = [query?.select?.field ?? []].flat() as unknown as string[];
    const size = Number(query?.pagesize ?? 100);
    const isKnown = !object.sample || wanted.every((field) => fields.includes(field));
    if (wanted.length === 0 || !isKnown || size > 1000) return failure("DL03000004", "Query failed");
    const chosen = (row: IntacctRow) => Object.fromEntries(wanted.map((field) => [field, row[field] ?? ""]));
    const filter = query?.filter ?? {};
    const found = object.rows(findKeys(filter)).filter(createMatcher(filter));
    const offset = Number(query?.offset ?? 0);
    const page = found
      .slice(offset, offset + Math.min(size, this.maxRows))
      .map(({ make }) => ({ ...chosen(make()), ...unrequested }));
    const data = {
      "@totalcount": found.length,
      "@numremaining": Math.max(0, found.length - offset - page.length),
      [name]: page,
    };
    return { status: "success", data };
  }
}

/** Fields that are returned although they are not requested. */
const unrequested = { COMMENTS: "Plantednote", CUSTOMERNAME: "Planted Buyer" };

function typeOf(object: string, fields: readonly string[]): Elements {
  const Field = fields.filter((field) => !field.startsWith(related)).map((ID) => ({ ID, ISCUSTOM: "false" }));
  const Relationship = fields.some((field) => field.startsWith(related)) ? [{ OBJECTPATH: related }] : [];
  return { "@Name": object, Fields: { Field }, Relationships: { Relationship } };
}

/** The keys to which the matching rows belong, if the filter names them. */
function findKeys({ and, ...filter }: RequestElements): ReadonlySet<string> | undefined {
  const condition = (and ?? filter).in;
  return condition ? new Set([condition.value].flat() as string[]) : undefined;
}

/** Creates a function that checks whether a row matches all conditions of a filter. */
function createMatcher(filter: RequestElements): (row: ListedRow) => boolean {
  const conditions = Object.entries(filter).map(([name, operands]) => {
    const { field = "", value = "" } = operands;
    const values = new Set([operands.value].flat() as string[]);
    const isAt: Record<string, (of: string) => boolean> = {
      in: (of) => values.has(of),
      greaterthan: (of) => Number(of) > Number(value),
      greaterthanorequalto: (of) => Date.parse(`${of} UTC`) >= Date.parse(`${value} UTC`),
    };
    return name === "and" ? createMatcher(operands) : (row: ListedRow) => isAt[name]?.(fieldOf(row, field)) ?? false;
  });
  return (row) => conditions.every((fits) => fits(row));
}

const fieldOf = ({ number, make }: ListedRow, field: string) =>
  field === "RECORDNO" ? `${number}` : (make()[field] ?? "");

const failure = (errorno: string, text: string): Elements => ({
  status: "failure",
  errormessage: failed(errorno, text),
});

const answered = (operation: Elements): FakeAnswer => ({
  body: { response: { control: { status: "success" }, operation } },
});
