/**
 * Has browsers use only HTTPS for two years (RFC 6797), in every response of a stage on AWS. Without `preload`, which
 * would bind the whole registered domain: the operator decides about that.
 */
export const transportSecurity = { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } as const;
