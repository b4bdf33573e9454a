import { createHash, createHmac, type Hash, type Hmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SignatureV4 } from "@smithy/signature-v4";
import { StoreError } from "./storeError.ts";

/** The credentials that the store accepts, and its region. */
export interface StoreAccess {
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** A parsed request target. A repeated parameter keeps all its values. */
export interface Target {
  /** Still percent-encoded. */
  path: string;
  query: Record<string, string | string[]>;
}

/** The signature parameters of a request. */
interface Claim {
  credential: string;
  signedHeaders: string[];
  signature: string;
  date: Date;
  payloadHash: string;
}

const algorithm = "AWS4-HMAC-SHA256";
const maxLifeSeconds = 604_800;
const clockSkew = 15 * 60_000;

/**
 * Checks the signature in a request's header or link, as S3 does. The check includes every header that the signature
 * covers. So a link that is signed for one content type and length is rejected for any other type or length.
 *
 * @throws StoreError 403 if the signature is missing, wrong, expired or not yet valid
 */
export async function checkSignature(
  request: IncomingMessage,
  target: Target,
  access: StoreAccess,
  now: Date,
): Promise<void> {
  const claim = target.query["X-Amz-Signature"] ? claimOfLink(target, now) : claimOfHeader(request, now);
  const [accessKeyId, ...scope] = claim.credential.split("/");
  if (accessKeyId !== access.credentials.accessKeyId) {
    throw new StoreError("InvalidAccessKeyId", "The access key does not exist.");
  }
  const signer = new Signer(access);
  const expected = await signer.signatureOf(request, target, claim);
  const sameScope = scope.join("/") === signer.scopeOf(claim.date);
  if (!sameScope || !equal(expected, claim.signature)) {
    throw new StoreError("SignatureDoesNotMatch", "The signature does not match the request.");
  }
  const uncovered = Object.keys(request.headers).find(
    (name) => name.startsWith("x-amz-") && !claim.signedHeaders.includes(name),
  );
  if (uncovered || !claim.signedHeaders.includes("host")) {
    throw new StoreError("AccessDenied", "There were headers present in the request which were not signed.");
  }
}

function claimOfLink({ query }: Target, now: Date): Claim {
  const text = (name: string) => (typeof query[name] === "string" ? query[name] : "");
  const date = parseDate(text("X-Amz-Date"));
  const life = Number(text("X-Amz-Expires"));
  if (text("X-Amz-Algorithm") !== algorithm || !date || !(life >= 1 && life <= maxLifeSeconds)) {
    throw new StoreError("AccessDenied", "A query parameter of the signature is missing.");
  }
  if (date.getTime() > now.getTime() + clockSkew) throw new StoreError("AccessDenied", "Request is not valid yet");
  if (date.getTime() + life * 1000 <= now.getTime()) throw new StoreError("AccessDenied", "Request has expired");
  return {
    credential: text("X-Amz-Credential"),
    signedHeaders: text("X-Amz-SignedHeaders").split(";"),
    signature: text("X-Amz-Signature"),
    date,
    payloadHash: "UNSIGNED-PAYLOAD",
  };
}

function claimOfHeader({ headers }: IncomingMessage, now: Date): Claim {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const date = parseDate(String(headers["x-amz-date"]));
  const payloadHash = headers["x-amz-content-sha256"];
  if (!credential || !signedHeaders || !signature || !date || typeof payloadHash !== "string") {
    throw new StoreError("AccessDenied", "The request is not signed.");
  }
  if (Math.abs(date.getTime() - now.getTime()) > clockSkew) {
    throw new StoreError(
      "RequestTimeTooSkewed",
      "The time of the request differs too much from the time of the local stage.",
    );
  }
  return { credential, signedHeaders: signedHeaders.split(";"), signature, date, payloadHash };
}

/** A date such as 20260302T194512Z; undefined for any other text. */
function parseDate(text: string): Date | undefined {
  if (!/^\d{8}T\d{6}Z$/.test(text)) return undefined;
  const date = new Date(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const equal = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The AWS SDK's signer, restricted to the headers that the request declares as signed. */
class Signer extends SignatureV4 {
  readonly #region: string;

  constructor({ region, credentials }: StoreAccess) {
    super({ service: "s3", region, credentials, sha256: Sha256, uriEscapePath: false });
    this.#region = region;
  }

  scopeOf(date: Date): string {
    return `${this.formatDate(date).shortDate}/${this.#region}/s3/aws4_request`;
  }

  async signatureOf(request: IncomingMessage, { path, query }: Target, claim: Claim): Promise<string> {
    const headers = Object.fromEntries(
      claim.signedHeaders.map((name) => [
        name,
        String(request.headers[name] ?? "")
          .trim()
          .replace(/\s+/g, " "),
      ]),
    );
    const received = { method: request.method ?? "", protocol: "http:", hostname: "", path, query, headers };
    const canonical = this.createCanonicalRequest(received, headers, claim.payloadHash);
    const { longDate } = this.formatDate(claim.date);
    const text = await this.createStringToSign(longDate, this.scopeOf(claim.date), canonical, algorithm);
    return this.sign(text, { signingDate: claim.date });
  }
}

/** Node's SHA-256 with the signer's interface: an HMAC if there is a secret. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string | Uint8Array);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}
