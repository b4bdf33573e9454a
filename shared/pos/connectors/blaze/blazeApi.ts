import * as z from "zod";
import type { Connection } from "../../connector.ts";
import { address } from "../../framework/conversions/address.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import type { ListPage } from "../../framework/pagedList.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { requireCredential, requireServiceKey } from "../../framework/toPosError.ts";
import { page, shop } from "./responses.ts";

const base = posPath`/api/v1/partner`;

/** The API of Blaze for one developer key, which gives access to one shop. */
export class BlazeApi implements StoreApi {
  readonly #api: JsonApi;

  /** @param partnerKey this service's own key at Blaze, the same for all shops */
  constructor(client: PosClient, partnerKey: string, { crbId, credentials }: Connection) {
    const authorization = requireCredential(credentials.Authorization);
    const key = requireServiceKey(partnerKey, "no_partner_key");
    // Requests send the partner key in two headers: Blaze's guide names one header, and all known clients send the
    // other header.
    this.#api = new JsonApi({
      client,
      rateLimitBucket: crbId,
      headers: { authorization, "x-api-key": key, partner_key: key },
    });
  }

  async stores(options: Partial<PosCall>): Promise<Stores> {
    const { body, date } = await this.#api.read(shop, below(base, posPath`/store`), {}, options);
    const { id, name, address: place } = body.shop;
    const { address: street = null, addressLine2 = null, city = null, state = null, zipCode = null } = place;
    const store = { id, name: name ?? `Shop ${id}`, address: address(street, addressLine2, city, [state, zipCode]) };
    return { stores: [store], hasUnreadable: false, date };
  }

  /** Reads the page after the first `skip` rows. Some lists call this parameter `start`, so both are sent. */
  async page(path: PosPath, query: Query, skip: number, size: number): Promise<ListPage> {
    const pageQuery = { ...query, skip, start: skip, limit: size };
    const { values, total } = (await this.#api.read(page, below(base, path), pageQuery)).body;
    // Blaze may return fewer rows than requested, so only an empty page certainly ends the list.
    return { rows: values, total };
  }

  /** One transaction with all its lines. */
  async transaction(id: string): Promise<unknown> {
    return (await this.#api.read(z.unknown(), below(base, posPath`/transactions/${id}`))).body;
  }
}
