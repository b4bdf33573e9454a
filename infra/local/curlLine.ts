/**
 * A call to paste into a terminal. On Windows it works in PowerShell, where `curl` alone is another program, and in the
 * command prompt, which takes no single quotes.
 *
 * @param authorization what the header of that name holds
 */
export function curlLine(authorization: string | undefined, url: string, platform = process.platform): string {
  const [curl, quote] = platform === "win32" ? ["curl.exe", '"'] : ["curl", "'"];
  return `${curl} -s -H ${quote}Authorization: ${authorization}${quote} ${quote}${url}${quote}`;
}
