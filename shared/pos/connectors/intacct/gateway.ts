import { randomUUID } from "node:crypto";
import { PosError } from "../../connector.ts";
import { type PosCall, type PosClient, type PosResponse, readText } from "../../framework/posClient.ts";
import { toPosError } from "../../framework/toPosError.ts";
import { type Errors, type Response, response } from "./responses.ts";
import { type Elements, readXml, writeXml } from "./xml.ts";

export const gatewayPath = "/ia/xml/xmlgw.phtml";

/** What Intacct has given to this service itself. */
export interface Sender {
  id: string;
  /** a secret */
  password: string;
}

/** What one request asks for. */
interface GatewayCall {
  /** whole address */
  endpoint: string;
  /** a login, or a session */
  authentication: Elements;
  /** the one function, by its name */
  ask: Elements;
  /** the same for the log, without values */
  pattern: string;
}

/** A thousand rows are less; more is not read, since XML is read as a whole. */
const maxBytes = 16 * 1024 ** 2;

/** Intacct's one way in: a function in XML, its answer in XML, whose status is 200 whatever became of it. */
export class Gateway {
  readonly #client: PosClient;
  readonly #sender: Sender;
  readonly #rateLimitBucket: string;

  constructor(client: PosClient, sender: Sender, rateLimitBucket: string) {
    this.#client = client;
    this.#sender = sender;
    this.#rateLimitBucket = rateLimitBucket;
  }

  /**
   * @returns what the function gave, and what Intacct's clock showed
   * @throws PosError "credentialsRefused" for a login or a session that is none; "notPermitted" for what the user may not
   * do; "unreachable" where Intacct refuses this service itself, which says nothing about the business
   */
  async call(
    { endpoint, authentication, ask, pattern }: GatewayCall,
    options: Partial<PosCall> = {},
  ): Promise<{ data: unknown; date: Date | null }> {
    const { id: senderid, password } = this.#sender;
    const controlid = randomUUID();
    const answer = await this.#client.call({
      url: endpoint,
      path: { text: "", pattern: `${gatewayPath} ${pattern}` },
      headers: { accept: "application/xml", "content-type": "application/xml" },
      rateLimitBucket: this.#rateLimitBucket,
      text: writeXml({
        request: {
          control: { senderid, password, controlid, uniqueid: false, dtdversion: "3.0", includewhitespace: false },
          operation: { authentication, content: { function: { "@controlid": controlid, ...ask } } },
        },
      }),
      maxBytes,
      read: async (chunks) => readXml(await readText(chunks)),
      ...options,
    });
    if (answer.status !== 200) throw rejectionOf(answer);
    const body = response.safeParse(answer.body).data?.response;
    if (!body) throw new PosError("notUnderstood", { code: "envelope" });
    return { data: dataOf(body), date: answer.date };
  }
}

/** @throws PosError by which part of the answer says that it failed */
function dataOf({ control, errormessage, operation }: Response): unknown {
  if (!isGood(control)) throw new PosError("unreachable", { code: codeOf(errormessage) ?? "control" });
  if (!operation) throw new PosError("notUnderstood", { code: "envelope" });
  const { authentication, result } = operation;
  if (!isGood(authentication)) {
    throw new PosError("credentialsRefused", { code: codeOf(operation.errormessage) ?? "authentication" });
  }
  if (!result) throw new PosError("notUnderstood", { code: "envelope" });
  if (isGood(result)) return result.data;
  const code = codeOf(result.errormessage) ?? "result";
  throw new PosError(isOfPermission(result.errormessage) ? "notPermitted" : "notUnderstood", { code });
}

const isGood = ({ status }: { status: string | null }) => status === "success";

/** Intacct's code of what is wrong; its texts are not for the log. */
function codeOf(errors: Errors): string | undefined {
  const [code = ""] = errors.map(({ errorno }) => errorno ?? "");
  return isCode.test(code) ? code : undefined;
}

const isCode = /^[A-Z]{2}\d{8}$/;

const isOfPermission = (errors: Errors) =>
  errors.some(({ errorno, description2 }) => errorno === "PL04000005" || /\bpermission/i.test(description2 ?? ""));

/** Whether a failure means one object only: the user may not read it, or the company has none such. */
export const isOfObject = ({ failure, code }: PosError) => failure === "notPermitted" || code === "DL03000003";

/** What a status other than 200 means: 498 is a session that is over, 400 with this code a login that is none. */
function rejectionOf(answer: PosResponse): PosError {
  const { status, body } = answer;
  const text = typeof body === "string" ? body : "";
  if (status === 498) return new PosError("credentialsRefused", { code: "498" });
  if (status === 400 && text.includes("GW-0011")) return new PosError("credentialsRefused", { code: "GW-0011" });
  // What Intacct itself says is XML, which begins as the page of a proxy does.
  return toPosError(/<response[\s>]/.test(text) ? { ...answer, body: undefined } : answer);
}
