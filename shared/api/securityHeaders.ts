/**
 * The security headers of every response of a stage on AWS, also of the gateway's and the firewall's own. Browsers use only
 * HTTPS for two years (RFC 6797); `preload` would bind the whole registered domain, so the operator decides about it. They
 * also take no response for another type than its `Content-Type`, such as JSON for a page.
 */
export const securityHeaders = {
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
} as const;
