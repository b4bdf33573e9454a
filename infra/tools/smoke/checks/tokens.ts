import type { Check } from "../trial.ts";

/** The token exchange, and the scope of its tokens. */
export const tokens: Check = {
  name: "tokens",
  page: "docs/guide/authentication.md",
  async run(trial) {
    const { api, own } = trial.tried;
    const provider = `/service-providers/${own.spId}`;
    const credential = { client_id: own.clientId, client_secret: own.key, grant_type: "client_credentials" };
    const exchange = (body: unknown, headers = {}) =>
      api.call("POST", "/auth/token", { authorization: null, body, headers });

    const token = await exchange(credential);
    trial.equal("exchange", 200, token.status);
    trial.equal("token_type, expires_in", ["Bearer", 3600], [token.json.token_type, token.json.expires_in]);
    trial.equal("expires_at - issued_at, seconds", 3600, token.json.expires_at - token.json.issued_at);
    const opens = async (authorization: string) => (await api.call("GET", provider, { authorization })).status;
    trial.equal("a call with the token", 200, await opens(token.json.access_token));
    trial.equal("a call with Bearer and the token", 200, await opens(`Bearer ${token.json.access_token}`));

    const narrow = await exchange({ ...credential, scope: ["service-provider:read"] });
    trial.equal("the requested scope", ["service-provider:read"], narrow.json.scope);
    const { access_token: authorization } = narrow.json;
    const write = await api.call("POST", `${provider}/crbs`, { authorization, body: {} });
    trial.equal("a change with a read-only token", 403, write.status);

    const basic = Buffer.from(`${own.clientId}:${own.key}`).toString("base64");
    const form = await api.call("POST", "/auth/token", {
      authorization: `Basic ${basic}`,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials",
    });
    trial.equal("exchange as a form with Authorization: Basic", 200, form.status);
    const wrong = await exchange({ ...credential, client_secret: `${own.key.slice(0, -1)}!` });
    trial.equal("exchange of a wrong secret", 401, wrong.status);
  },
};
