import { pageHeaders } from "../pages/headers.ts";

/**
 * The headers of the page: it loads from its own origin, and calls the API there and the upload links of the store of
 * documents. No text becomes a script in it (Trusted Types), whatever a name or a message holds.
 *
 * The store is found as the SDK finds it: AWS_ENDPOINT_URL_S3 on one machine, otherwise DOCUMENTS_BUCKET and AWS_REGION.
 */
export function connectHeaders(): Record<string, string> {
  const { AWS_ENDPOINT_URL_S3: endpoint, DOCUMENTS_BUCKET: bucket, AWS_REGION: region } = process.env;
  const store = endpoint ?? (bucket && `https://${bucket}.s3.${region}.amazonaws.com`);
  return pageHeaders([
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${store ? ` ${store}` : ""}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
}
