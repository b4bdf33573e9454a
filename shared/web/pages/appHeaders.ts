import { pageHeaders } from "./headers.ts";

/**
 * The headers of a page that consists of a script. The page loads its files from its own origin. The page calls the API on
 * this origin, and sends files to upload links of S3. Trusted Types keep texts, such as names and messages, from becoming
 * scripts.
 *
 * The policy allows the S3 endpoint that the SDK uses: AWS_ENDPOINT_URL_S3 on one machine, otherwise from
 * DOCUMENTS_BUCKET and AWS_REGION.
 *
 * @param origins other origins that the page may call
 */
export function appHeaders(origins: readonly string[] = []): Record<string, string> {
  const { AWS_ENDPOINT_URL_S3: endpoint, DOCUMENTS_BUCKET: bucket, AWS_REGION: region } = process.env;
  const store = endpoint ?? (bucket && `https://${bucket}.s3.${region}.amazonaws.com`);
  return pageHeaders([
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...(store ? [store] : []), ...origins].join(" "),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
}
