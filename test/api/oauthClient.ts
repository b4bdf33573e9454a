import * as oauth from "openid-client";

/** A client of an OAuth 2 library that is configured with a stage's token endpoint and uses plain HTTP. */
export function oauthClient(baseUrl: string, clientId: string, authentication: oauth.ClientAuth): oauth.Configuration {
  const server = { issuer: baseUrl, token_endpoint: `${baseUrl}/auth/token` };
  const client = new oauth.Configuration(server, clientId, undefined, authentication);
  oauth.allowInsecureRequests(client);
  return client;
}
