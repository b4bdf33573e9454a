/**
 * Returns a curl command to paste into a terminal. On Windows, the command runs in PowerShell, where plain `curl` is
 * another program. It also runs in the command prompt, which does not support single quotes.
 *
 * @param authorization value of the header
 */
export function curlLine(authorization: string | undefined, url: string, platform = process.platform): string {
  const [curl, quote] = platform === "win32" ? ["curl.exe", '"'] : ["curl", "'"];
  return `${curl} -s -H ${quote}Authorization: ${authorization}${quote} ${quote}${url}${quote}`;
}
