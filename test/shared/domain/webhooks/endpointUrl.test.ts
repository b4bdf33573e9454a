import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { canConnect, isPublicAddress } from "../../../../shared/domain/webhooks/canConnect.ts";
import { normalUrl, urlIssues } from "../../../../shared/domain/webhooks/endpointUrl.ts";

beforeEach(() => void vi.stubEnv("STAGE", "prod"));
afterEach(() => vi.unstubAllEnvs());

/** Names of a made-up DNS; all others have no address. */
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

const isNoAddress = "must be a URL that begins with https://";
const isNoName = "must have a host with a public domain name";
const isInternal = "must resolve to public addresses only";
const hasOddCharacters = "must not contain spaces, control characters or backslashes";

const refused: readonly (readonly [url: string, message: string])[] = [
  // schemes and what is no address
  ["http://hooks.bank.com/", isNoAddress],
  ["http://127.0.0.1:8080/", isNoAddress],
  ["ftp://hooks.bank.com/", isNoAddress],
  ["file:///etc/passwd", isNoAddress],
  ["javascript:alert(1)", isNoAddress],
  ["gopher://hooks.bank.com:70/", isNoAddress],
  ["//hooks.bank.com/", isNoAddress],
  ["hooks.bank.com", isNoAddress],
  ["https:hooks.bank.com", isNoAddress],
  ["https:/hooks.bank.com", isNoAddress],
  ["https:///hooks.bank.com/", isNoAddress],
  ["https://", isNoAddress],
  ["https://?x", isNoAddress],
  ["https://hooks.bank.com:99999/", isNoAddress],
  ["https://[::1", isNoAddress],
  ["https://[fe80::1%25eth0]/", isNoAddress],
  ["https://[::1%25lo]/", isNoAddress],
  ["https://256.1.1.1/", isNoAddress],
  ["https://1.2.3.4.5/", isNoAddress],
  ["https://hooks.bank.com%00.attacker.com/", isNoAddress],
  ["https://xn--a/", isNoName],
  // characters that parsers leave out or turn
  [" https://hooks.bank.com/", hasOddCharacters],
  ["https://hooks.bank.com/ ", hasOddCharacters],
  ["https://hooks.bank.com/\r\nX-Injected: 1", hasOddCharacters],
  ["https://127.0\t.0.1/", hasOddCharacters],
  ["https://hooks.bank.com\\@127.0.0.1/", hasOddCharacters],
  ["https:\\\\127.0.0.1\\", hasOddCharacters],
  ["https://hooks\u200b.bank.com/", hasOddCharacters],
  ["https://hooks.bank.com/\u202e", hasOddCharacters],
  // credentials, fragments, ports
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
  // names
  ["https://localhost/", isNoName],
  ["https://localhost./", isNoName],
  ["https://LOCALHOST/", isNoName],
  ["https://intranet/", isNoName],
  ["https://db.localhost/", isNoName],
  ["https://printer.local/", isNoName],
  ["https://metadata.google.internal/", isNoName],
  ["https://instance-data.ec2.internal/", isNoName],
  ["https://router.home.arpa/", isNoName],
  ["https://hidden.onion/", isNoName],
  ["https://hooks.bank.com./", isNoName],
  ["https://hooks..bank.com/", isNoName],
  ["https://-hooks.bank.com/", isNoName],
  ["https://hooks_1.bank.com/", isNoName],
  ["https://*.bank.com/", isNoName],
  [`https://${"a".repeat(64)}.bank.com/`, isNoName],
  [`https://${"a.".repeat(130)}com/`, isNoName],
  // addresses, in every spelling
  ["https://127.0.0.1/", isInternal],
  ["https://127.0.0.1./", isInternal],
  ["https://127.1/", isInternal],
  ["https://2130706433/", isInternal],
  ["https://0x7f000001/", isInternal],
  ["https://0x7f.0.0.1/", isInternal],
  ["https://0177.0.0.1/", isInternal],
  ["https://017700000001/", isInternal],
  ["https://%31%32%37.0.0.1/", isInternal],
  ["https://１２７.０.０.１/", isInternal],
  ["https://①②⑦.⓪.⓪.①/", isInternal],
  ["https://127。0。0。1/", isInternal],
  ["https://0.0.0.0/", isInternal],
  ["https://0/", isInternal],
  ["https://10.0.0.1/", isInternal],
  ["https://172.16.5.4/", isInternal],
  ["https://192.168.1.1/", isInternal],
  ["https://169.254.169.254/latest/meta-data/", isInternal],
  ["https://2852039166/", isInternal],
  ["https://[::ffff:169.254.169.254]/", isInternal],
  ["https://[::]/", isInternal],
  ["https://[::1]:8443/", isInternal],
  ["https://[fd00:ec2::254]/", isInternal],
  // names that lead inside
  ["https://rebind.attacker.com/", isInternal],
  ["https://metadata.attacker.com/", isInternal],
  ["https://METADATA.attacker.com:8443/x?y", isInternal],
  ["https://mapped.attacker.com/", isInternal],
  ["https://ula.attacker.com/", isInternal],
  // longer once its letters are written in percent
  [`https://hooks.bank.com/${"ä".repeat(500)}`, "must have at most 2000 characters in its normalized form"],
];

describe("an address is refused", () => {
  test.each(refused)("%s", async (url, message) => expect(await messageFor(url)).toBe(message));

  test("of each kind there are some, sixty in all at least", () => expect(refused.length).toBeGreaterThan(60));
});

describe("an address is taken", () => {
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

  test("whose name is not resolved in time", async () => {
    vi.useFakeTimers();
    try {
      const asked = urlIssues({ url: "https://slow.bank.com/" }, () => new Promise(() => undefined));
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await asked).toEqual({});
    } finally {
      vi.useRealTimers();
    }
  });

  test("on the local stage alone, if it is http to this machine by its number", async () => {
    vi.stubEnv("STAGE", "local");
    for (const url of ["http://127.0.0.1:3999/events", "http://127.0.0.1/", "https://hooks.bank.com/"]) {
      expect(await messageFor(url)).toBeUndefined();
    }
    for (const url of ["http://localhost:3999/", "http://127.0.0.2/", "http://10.0.0.1/", "http://[::1]/"]) {
      expect(await messageFor(url)).toBe(isNoAddress);
    }
    expect(await messageFor("https://127.0.0.1/")).toBe(isInternal);
    expect(await messageFor("http://me@127.0.0.1/")).toBe("must not contain a user name or password");
  });
});

test("what the schema refuses is not looked at", async () => {
  for (const body of [null, "https://127.0.0.1/", [], {}, { url: 7 }, { url: "" }, { url: "x".repeat(2_001) }]) {
    expect(await urlIssues(body, () => expect.fail("resolved"))).toEqual({});
  }
});

/** Of the registries of special-purpose addresses (IANA, RFC 6890 and later), first and last of each block. */
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
/** Other spellings, which nothing that resolves names answers with. */
const odd = ["", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "8.8.8", "8.8.8.8 ", "[2606:4700::1]", "localhost"];

test.each([...special, ...odd])("'%s' is no public address", (address) => {
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

test("on the local stage http leads to this machine and nowhere else", () => {
  vi.stubEnv("STAGE", "local");
  const url = new URL("http://127.0.0.1:3999/");
  expect([canConnect(url, "127.0.0.1"), canConnect(url, "8.8.8.8"), canConnect(url, "127.0.0.2")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(canConnect(new URL("https://hooks.bank.com/"), "127.0.0.1")).toBe(false);
});
