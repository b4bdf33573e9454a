import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { normalUrl, urlIssues } from "../../../../shared/domain/webhooks/endpointUrl.ts";
import { canConnect, isPublicAddress } from "../../../../shared/platform/http/canConnect.ts";

beforeEach(() => void vi.stubEnv("STAGE", "prod"));
afterEach(() => vi.unstubAllEnvs());

/** Names of a simulated DNS. All other names have no address. */
const names: Record<string, string[]> = {
  "hooks.bank.com": ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"],
  "rebind.attacker.com": ["93.184.216.34", "127.0.0.1"],
  "metadata.attacker.com": ["169.254.169.254"],
  "mapped.attacker.com": ["::ffff:10.0.0.1"],
  "ula.attacker.com": ["fd00:ec2::254"],
};
const resolve = async (host: string) => {
  const found = names[host];
  if (!found) throw new Error("ENOTFOUND");
  return found.map((address) => ({ address }));
};
const messageFor = async (url: unknown) => (await urlIssues({ url }, resolve))["body.url"]?.message;

const addressMessage = "must be a URL that begins with https://";
const nameMessage = "must have a host with a public domain name";
const internalMessage = "must resolve to public addresses only";
const charactersMessage = "must not contain spaces, control characters or backslashes";

const rejectedUrls: readonly (readonly [url: string, message: string])[] = [
  // Schemes, and texts that are not addresses.
  ["http://hooks.bank.com/", addressMessage],
  ["http://127.0.0.1:8080/", addressMessage],
  ["ftp://hooks.bank.com/", addressMessage],
  ["file:///etc/passwd", addressMessage],
  ["javascript:alert(1)", addressMessage],
  ["gopher://hooks.bank.com:70/", addressMessage],
  ["//hooks.bank.com/", addressMessage],
  ["hooks.bank.com", addressMessage],
  ["https:hooks.bank.com", addressMessage],
  ["https:/hooks.bank.com", addressMessage],
  ["https:///hooks.bank.com/", addressMessage],
  ["https://", addressMessage],
  ["https://?x", addressMessage],
  ["https://hooks.bank.com:99999/", addressMessage],
  ["https://[::1", addressMessage],
  ["https://[fe80::1%25eth0]/", addressMessage],
  ["https://[::1%25lo]/", addressMessage],
  ["https://256.1.1.1/", addressMessage],
  ["https://1.2.3.4.5/", addressMessage],
  ["https://hooks.bank.com%00.attacker.com/", addressMessage],
  ["https://xn--a/", nameMessage],
  // Characters that parsers drop or convert.
  [" https://hooks.bank.com/", charactersMessage],
  ["https://hooks.bank.com/ ", charactersMessage],
  ["https://hooks.bank.com/\r\nX-Injected: 1", charactersMessage],
  ["https://127.0\t.0.1/", charactersMessage],
  ["https://hooks.bank.com\\@127.0.0.1/", charactersMessage],
  ["https:\\\\127.0.0.1\\", charactersMessage],
  ["https://hooks\u200b.bank.com/", charactersMessage],
  ["https://hooks.bank.com/\u202e", charactersMessage],
  // Credentials, fragments and ports.
  ["https://user:password@hooks.bank.com/", "must not contain a user name or password"],
  ["https://user@hooks.bank.com/", "must not contain a user name or password"],
  ["https://@hooks.bank.com/", "must not contain a user name or password"],
  ["https://hooks.bank.com@127.0.0.1/", "must not contain a user name or password"],
  ["https://hooks.bank.com/#part", "must not have a fragment (#…)"],
  ["https://hooks.bank.com/#", "must not have a fragment (#…)"],
  ["https://hooks.bank.com:22/", "must have port 443 or a port above 1023"],
  ["https://hooks.bank.com:25/", "must have port 443 or a port above 1023"],
  ["https://hooks.bank.com:80/", "must have port 443 or a port above 1023"],
  ["https://hooks.bank.com:0/", "must have port 443 or a port above 1023"],
  ["https://hooks.bank.com:1023/", "must have port 443 or a port above 1023"],
  // Names.
  ["https://localhost/", nameMessage],
  ["https://localhost./", nameMessage],
  ["https://LOCALHOST/", nameMessage],
  ["https://intranet/", nameMessage],
  ["https://db.localhost/", nameMessage],
  ["https://printer.local/", nameMessage],
  ["https://metadata.google.internal/", nameMessage],
  ["https://instance-data.ec2.internal/", nameMessage],
  ["https://router.home.arpa/", nameMessage],
  ["https://hidden.onion/", nameMessage],
  ["https://hooks.bank.com./", nameMessage],
  ["https://hooks..bank.com/", nameMessage],
  ["https://-hooks.bank.com/", nameMessage],
  ["https://hooks_1.bank.com/", nameMessage],
  ["https://*.bank.com/", nameMessage],
  [`https://${"a".repeat(64)}.bank.com/`, nameMessage],
  [`https://${"a.".repeat(130)}com/`, nameMessage],
  // Addresses in every notation.
  ["https://127.0.0.1/", internalMessage],
  ["https://127.0.0.1./", internalMessage],
  ["https://127.1/", internalMessage],
  ["https://2130706433/", internalMessage],
  ["https://0x7f000001/", internalMessage],
  ["https://0x7f.0.0.1/", internalMessage],
  ["https://0177.0.0.1/", internalMessage],
  ["https://017700000001/", internalMessage],
  ["https://%31%32%37.0.0.1/", internalMessage],
  ["https://１２７.０.０.１/", internalMessage],
  ["https://①②⑦.⓪.⓪.①/", internalMessage],
  ["https://127。0。0。1/", internalMessage],
  ["https://0.0.0.0/", internalMessage],
  ["https://0/", internalMessage],
  ["https://10.0.0.1/", internalMessage],
  ["https://172.16.5.4/", internalMessage],
  ["https://192.168.1.1/", internalMessage],
  ["https://169.254.169.254/latest/meta-data/", internalMessage],
  ["https://2852039166/", internalMessage],
  ["https://[::ffff:169.254.169.254]/", internalMessage],
  ["https://[::]/", internalMessage],
  ["https://[::1]:8443/", internalMessage],
  ["https://[fd00:ec2::254]/", internalMessage],
  // Names that resolve to internal addresses.
  ["https://rebind.attacker.com/", internalMessage],
  ["https://metadata.attacker.com/", internalMessage],
  ["https://METADATA.attacker.com:8443/x?y", internalMessage],
  ["https://mapped.attacker.com/", internalMessage],
  ["https://ula.attacker.com/", internalMessage],
  // Longer in its percent-encoded form.
  [`https://hooks.bank.com/${"ä".repeat(500)}`, "must have at most 2000 characters in its normalized form"],
];

describe("a URL is rejected", () => {
  test.each(rejectedUrls)("%s", async (url, message) => expect(await messageFor(url)).toBe(message));

  test("in more than sixty cases", () => expect(rejectedUrls.length).toBeGreaterThan(60));
});

describe("a URL is accepted", () => {
  test.each([
    ["https://hooks.bank.com/events?token=a%20b", "https://hooks.bank.com/events?token=a%20b"],
    ["HTTPS://Hooks.Bank.COM:443/Events", "https://hooks.bank.com/Events"],
    ["https://hooks.bank.com:8443", "https://hooks.bank.com:8443/"],
    ["https://hooks.bank.com:1024/a/../b", "https://hooks.bank.com:1024/b"],
    ["https://bücher.com/ä", "https://xn--bcher-kva.com/%C3%A4"],
    ["https://93.184.216.34/", "https://93.184.216.34/"],
    ["https://[2606:2800:220:1::1]/", "https://[2606:2800:220:1::1]/"],
    ["https://not-there-yet.bank.com/@user", "https://not-there-yet.bank.com/@user"],
  ])("%s", async (url, stored) => {
    expect(await messageFor(url)).toBeUndefined();
    expect(normalUrl(url)).toBe(stored);
  });

  test("if its name is not resolved in time", async () => {
    vi.useFakeTimers();
    try {
      const issues = urlIssues({ url: "https://slow.bank.com/" }, () => new Promise(() => undefined));
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await issues).toEqual({});
    } finally {
      vi.useRealTimers();
    }
  });

  test("on the local stage only, if it is http to 127.0.0.1", async () => {
    vi.stubEnv("STAGE", "local");
    for (const url of ["http://127.0.0.1:3999/events", "http://127.0.0.1/", "https://hooks.bank.com/"]) {
      expect(await messageFor(url)).toBeUndefined();
    }
    for (const url of ["http://localhost:3999/", "http://127.0.0.2/", "http://10.0.0.1/", "http://[::1]/"]) {
      expect(await messageFor(url)).toBe(addressMessage);
    }
    expect(await messageFor("https://127.0.0.1/")).toBe(internalMessage);
    expect(await messageFor("http://me@127.0.0.1/")).toBe("must not contain a user name or password");
  });
});

test("a value that the schema rejects is not resolved", async () => {
  for (const body of [null, "https://127.0.0.1/", [], {}, { url: 7 }, { url: "" }, { url: "x".repeat(2_001) }]) {
    expect(await urlIssues(body, () => expect.fail("resolved"))).toEqual({});
  }
});

/**
 * From the registries of special-purpose addresses (IANA, RFC 6890 and later): the first and last address of each
 * block.
 */
const special = [
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1"],
  ...["127.255.255.254", "169.254.0.0", "169.254.169.254", "169.254.170.2", "172.16.0.0", "172.31.255.255"],
  ...["192.0.0.0", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0"],
  ...["198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
  ...["::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:0:10.0.0.1"],
  ...["64:ff9b::10.0.0.1", "64:ff9b::808:808", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:2::1", "2001:10::1"],
  ...["2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254"],
  ...["fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "4000::1", "a000::1"],
];
/** Other notations, which no resolver returns. */
const otherNotations = [
  "",
  "127.1",
  "0x7f000001",
  "2130706433",
  "0177.0.0.1",
  "8.8.8",
  "8.8.8.8 ",
  "[2606:4700::1]",
  "localhost",
];

test.each([...special, ...otherNotations])("'%s' is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
  expect(canConnect(new URL("https://hooks.bank.com/"), address)).toBe(false);
});

test.each([
  "8.8.8.8",
  "93.184.216.34",
  "100.63.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "2606:4700::1111",
  "2a00::1",
])("'%s' is a public address", (address) => expect(isPublicAddress(address)).toBe(true));

test("on the local stage, http connects only to 127.0.0.1", () => {
  vi.stubEnv("STAGE", "local");
  const url = new URL("http://127.0.0.1:3999/");
  expect([canConnect(url, "127.0.0.1"), canConnect(url, "8.8.8.8"), canConnect(url, "127.0.0.2")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(canConnect(new URL("https://hooks.bank.com/"), "127.0.0.1")).toBe(false);
});
