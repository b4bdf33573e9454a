/**
 * Returns a curl command to paste into a terminal. On Windows it runs in PowerShell, where `curl` alone is another program,
 * and in the command prompt, which knows no single quotes.
 *
 * @param authorization value of the header
 */
export function curlLine(authorization: string | undefined, url: string, platform = process.platform): string {
  const [curl, quote] = platform === "win32" ? ["curl.exe", '"'] : ["curl", "'"];
  return `${curl} -s -H ${quote}Authorization: ${authorization}${quote} ${quote}${url}${quote}`;
}
