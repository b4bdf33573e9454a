/**
 * Has browsers use HTTPS alone for two years (RFC 6797), for every response of a stage on AWS. It asks for no preload:
 * that binds the whole registered domain, for which the operator decides.
 */
export const transportSecurity = { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } as const;
