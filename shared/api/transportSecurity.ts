/**
 * Makes browsers use only HTTPS for two years (RFC 6797), in every response of a stage on AWS. `preload` would bind
 * the whole registered domain, so the operator decides about it.
 */
export const transportSecurity = { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } as const;
