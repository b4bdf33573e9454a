import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { Adapter, AdapterPayload } from "oidc-provider";
import { writeAtomically } from "../../cli/writeAtomically.ts";

/** The state of the local identity provider, which a restart keeps. */
interface Content {
  /** The private key that signs ID tokens. */
  signingKey: JWK;
  /** Signs cookies. */
  cookieKey: string;
  /** Sessions, grants and codes by kind and id; `until` is in epoch seconds. */
  entries: Record<string, { payload: AdapterPayload; until: number }>;
}

const now = () => Date.now() / 1000;

/** The state of the local identity provider in a file of the data directory. Every change is written at once. */
export class ProviderFile {
  readonly signingKey: JWK;
  readonly cookieKey: string;
  readonly #file: string;
  readonly #entries: Content["entries"];

  private constructor(file: string, { signingKey, cookieKey, entries }: Content) {
    this.#file = file;
    this.signingKey = signingKey;
    this.cookieKey = cookieKey;
    this.#entries = entries;
  }

  /** Reads the file, or creates it with new keys. */
  static async open(file: string): Promise<ProviderFile> {
    if (existsSync(file)) return new ProviderFile(file, JSON.parse(readFileSync(file, "utf8")) as Content);
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const signingKey = {
      ...(await exportJWK(privateKey)),
      alg: "RS256",
      use: "sig",
      kid: randomBytes(8).toString("hex"),
    };
    const created = new ProviderFile(file, { signingKey, cookieKey: randomBytes(32).toString("hex"), entries: {} });
    created.#write();
    return created;
  }

  /** The storage that oidc-provider needs for one kind of its entries. */
  adapterOf(kind: string): Adapter {
    const keyOf = (id: string) => `${kind}:${id}`;
    const find = (key: string) => {
      const entry = this.#entries[key];
      return entry && entry.until > now() ? entry.payload : undefined;
    };
    const findBy = (name: "uid" | "userCode", value: string) =>
      Object.keys(this.#entries)
        .filter((key) => key.startsWith(`${kind}:`))
        .map(find)
        .find((payload) => payload?.[name] === value);
    return {
      upsert: async (id, payload, expiresIn) => {
        this.#entries[keyOf(id)] = { payload, until: now() + (expiresIn ?? Number.MAX_SAFE_INTEGER) };
        this.#write();
      },
      find: async (id) => find(keyOf(id)),
      findByUid: async (uid) => findBy("uid", uid),
      findByUserCode: async (userCode) => findBy("userCode", userCode),
      consume: async (id) => {
        const payload = find(keyOf(id));
        if (payload) payload.consumed = Math.floor(now());
        this.#write();
      },
      destroy: async (id) => {
        delete this.#entries[keyOf(id)];
        this.#write();
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of Object.entries(this.#entries)) {
          if (key.startsWith(`${kind}:`) && payload.grantId === grantId) delete this.#entries[key];
        }
        this.#write();
      },
    };
  }

  #write(): void {
    for (const [key, { until }] of Object.entries(this.#entries)) if (until <= now()) delete this.#entries[key];
    const content: Content = { signingKey: this.signingKey, cookieKey: this.cookieKey, entries: this.#entries };
    writeAtomically(this.#file, JSON.stringify(content));
  }
}
