/** Requests that a credential may send in a minute, unless the operator has agreed on more (docs/spec.md#limits). */
export const requestsPerMinute = 600;

/** The limit of a credential, in the form of the IETF draft of RateLimit header fields. Every response has it. */
export const rateLimitPolicy = { "RateLimit-Policy": `"credential";q=${requestsPerMinute};w=60` } as const;
