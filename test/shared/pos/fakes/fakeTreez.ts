import { generateKeyPairSync, verify } from "node:crypto";
import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import { localDay, newestFirst, oldestFirst, type ShopSale } from "./shop.ts";
import { ShopServer } from "./shopServer.ts";
import { treezCustomer, treezProduct, treezTicket } from "./treezRows.ts";

const keys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const month = 30 * 24 * 60 * 60_000;

const fail = (status: number, resultReason: string): FakeAnswer => ({
  status,
  body: { resultCode: "FAIL", resultReason, resultDetail: null },
});

const rejected = fail(401, "Full authentication is required to access this resource");

/** A fake of the part of Treez that the connector reads (docs/pos/treez.md): the dispensary `greenway`. */
export class FakeTreez extends ShopServer {
  readonly credentials = { apiKey: "treez-api-key", dispensaryName: "greenway" };
  readonly clientId = "partner-client-id";
  readonly partnerKeys = { POS_TREEZ_CLIENT_ID: this.clientId };
  /** credentials of version 3, with signed requests */
  readonly signedCredentials = { organizationId: "org-7", dispensaryName: "greenway" };
  readonly certificate = { id: "cert-1", privateKey: keys.privateKey };
  /** ids of signed requests; a repeated one is rejected */
  readonly signed = new Set<string>();
  /** valid tokens, each with its end (milliseconds of the machine's clock) */
  readonly tokens = new Map<string, number>();
  tokenSeconds = 7200;
  productPageSize = Math.max(5, Math.ceil(this.shop.products.length / 8));
  /** the maximum number of rows of a page of tickets or customers */
  maxPageSize = 50;

  protected answer(request: FakeRequest): FakeAnswer {
    const { path, query, headers, method, body } = request;
    if (path === "/service/jwt-validation" && method === "POST") {
      return this.#isSigned(request) && query.get("dispensaryName") === "greenway"
        ? { body: { valid: true } }
        : rejected;
    }
    const [, ofVersion3] = /^\/dispensary\/v3\/greenway(\/.*)$/.exec(path) ?? [];
    if (ofVersion3) {
      // The paths of version 3 for tickets lack a word that those of version 2 have.
      const isOfVersion2 = ofVersion3.startsWith("/ticket/lastUpdated/after");
      if (isOfVersion2 || !this.#isSigned(request)) return rejected;
      return this.#below(ofVersion3.replace("/ticket/lastUpdated/", "/ticket/lastUpdated/after/"), query);
    }
    const [, base, below = ""] = /^(\/v2\.0\/dispensary\/[^/]+)(\/.*)$/.exec(path) ?? [];
    if (base !== `/v2.0/dispensary/${this.credentials.dispensaryName}`) return fail(404, "NOT_FOUND");
    if (below === "/config/api/gettokens") return this.#token(method, headers["content-type"] ?? "", body);
    const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
    if ((this.tokens.get(token) ?? 0) <= performance.now() || headers.client_id !== this.clientId) return rejected;
    return this.#below(below, query);
  }

  /** A valid signature has two parts: claims about this request, for exactly 30 seconds, and their signature. */
  #isSigned({ rawPath, headers, query }: FakeRequest): boolean {
    const [text = "", signature = "", ...more] = headers.authorization?.split(".") ?? [];
    if (more.length > 0) return false;
    const isOurs = verify("sha256", Buffer.from(text), keys.publicKey, Buffer.from(signature, "base64"));
    const { aud, iss, oid, iat, exp, jti } = isOurs ? JSON.parse(Buffer.from(text, "base64url").toString()) : {};
    const url = `${this.url}${rawPath}${query.size > 0 ? `?${query}` : ""}`;
    const isNew = !this.signed.has(jti);
    this.signed.add(jti);
    const isNow = exp - iat === 30_000 && Math.abs(iat - this.now().getTime()) <= 30_000;
    return isOurs && isNew && isNow && aud === url && iss === this.certificate.id && oid === "org-7";
  }

  #below(below: string, query: URLSearchParams): FakeAnswer {
    if (below.startsWith("/product/product_list")) return this.#products(below, query);
    const parts = below.split("/").filter(Boolean);
    const [size, page] = [Number(parts.at(-1)), Number(parts.at(-3))];
    if (size > this.maxPageSize) return fail(400, "RESPONSE_LIMIT_EXCEEDS");
    const [what, by, , from = "", , to = ""] = parts;
    if (what === "customer") {
      const isWanted = by === "signup" ? between(from, to) : changedAfter(parts[3] ?? "");
      if (!isWanted) return fail(400, "INVALID_DATE_FORMAT");
      const { customers, views } = this.shop;
      // Ordered by their change, so that pages shift when one changes.
      const ordered = views.of("customers", `${by} ${parts[3]} ${to}`, () =>
        customers
          .filter(({ createdAt, changedAt }) => isWanted(by === "signup" ? createdAt : changedAt))
          .toSorted(oldestFirst),
      );
      return good({ data: pageOf(ordered, page, size).map(treezCustomer) });
    }
    if (what === "ticket") return this.#tickets(parts, page, size);
    return fail(404, "NOT_FOUND");
  }

  #token(method: string, contentType: string, body: string): FakeAnswer {
    const form = new URLSearchParams(body);
    const isForm = method === "POST" && contentType.startsWith("application/x-www-form-urlencoded");
    if (!isForm || form.get("apikey") !== this.credentials.apiKey || form.get("client_id") !== this.clientId) {
      return fail(401, "INVALID_CREDENTIALS");
    }
    const token = `token-${this.tokens.size + 1}`;
    this.tokens.set(token, performance.now() + this.tokenSeconds * 1000);
    return good({
      access_token: token,
      refresh_token: "refresh",
      expires_at: `${new Date(this.now().getTime() + this.tokenSeconds * 1000).toISOString().slice(0, -1)}-0000`,
      expires_in: String(this.tokenSeconds),
    });
  }

  #products(below: string, query: URLSearchParams): FakeAnswer {
    const [, after] = /lastUpdated\/after\/(.*)$/.exec(below) ?? [];
    const isWanted = after === undefined ? () => true : changedAfter(after);
    if (!isWanted) return fail(400, "INVALID_DATE_FORMAT");
    if (query.get("active") !== "ALL") return fail(400, "INVALID_ACTIVE_PARAMETER");
    const { shop } = this;
    const found = shop.views.of("products", after ?? "", () =>
      shop.products.filter(({ changedAt }) => isWanted(changedAt)).toSorted(newestFirst),
    );
    const rows = pageOf(found, Number(query.get("page")), this.productPageSize);
    const list = rows.map((product) => treezProduct(product, shop.packagesOf(product)));
    return good({ data: { page_count: list.length, total_count: found.length, product_list: list } });
  }

  #tickets([, by, day, after = ""]: string[], page: number, size: number): FakeAnswer {
    const { sales, views } = this.shop;
    let isWanted: ((sale: ShopSale) => boolean) | undefined;
    if (by === "closedate") {
      isWanted = ({ at, status }) => status !== "pending" && localDay(at) === day;
    } else {
      const isLater = changedAfter(after);
      if (!isLater) return fail(400, "INVALID_DATE_FORMAT");
      if (Date.parse(after) < this.now().getTime() - month) return fail(400, "INCORRECT_VALUE");
      isWanted = ({ changedAt }) => isLater(changedAt);
    }
    const found = views.of("tickets", `${by} ${day} ${after}`, () => sales.filter(isWanted).toSorted(newestFirst));
    return good({ ticketList: pageOf(found, page, size).map(treezTicket) });
  }
}

function good(body: object): FakeAnswer {
  return { body: { resultCode: "SUCCESS", resultReason: null, resultDetail: null, ...body } };
}

/** Instants need milliseconds and an offset. */
function changedAfter(text: string): ((instant: number) => boolean) | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}([+-]\d\d:\d\d|Z)$/.test(text)) return undefined;
  return (instant) => instant > Date.parse(text);
}

function between(from: string, to: string): ((instant: number) => boolean) | undefined {
  return (instant) => localDay(instant) >= from && localDay(instant) <= to;
}

function pageOf<Row>(rows: readonly Row[], page: number, size: number): Row[] {
  return rows.slice((page - 1) * size, page * size);
}
