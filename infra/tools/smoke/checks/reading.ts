import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { createCrb, until } from "../business.ts";
import type { Check, Trial } from "../trial.ts";

/** A page of a list, its ETag, and its compression. */
export const reading: Check = {
  name: "a page, ETag, gzip",
  page: "docs/guide/reading-lists.md",
  async run(trial) {
    const { api, own } = trial.tried;
    const crb = await createCrb(trial.tried, { invited: true });
    const list = `/service-providers/${own.spId}/crbs`;
    const page = await api.call("GET", `${list}?limit=1`);
    const { metadata, data = [] } = page.json;
    trial.equal("a page of one", [200, 1, "1 - 1"], [page.status, data.length, metadata?.count]);
    trial.equal("its record", await api.answer("GET", crb), data[0]);
    const behind = await api.call("GET", `${list}?offset=100000`);
    trial.equal("a page after the last", ["0 - 0", []], [behind.json.metadata?.count, behind.json.data]);

    // A list that just changed has no tag until its indexes are up to date.
    const tagged = () => api.call("GET", list);
    const { headers } = await until(trial.tried, 150, tagged, (answer) => answer.headers.has("etag"));
    const tag = headers.get("etag") ?? "absent";
    trial.holds("ETag of a list", 'W/"…"', /^W\/"[^"]+"$/.test(tag), tag);
    trial.equal("Cache-Control of the list", "private, no-cache", headers.get("cache-control"));
    const again = await api.call("GET", list, { headers: { "If-None-Match": tag } });
    trial.equal("If-None-Match with the ETag", [304, ""], [again.status, again.text]);
    const head = await api.call("HEAD", list);
    trial.equal("HEAD", [200, tag, ""], [head.status, head.headers.get("etag"), head.text]);

    await isCompressed(trial, `${api.baseUrl}/openapi.json`);
    trial.equal("/docs", 200, (await api.call("GET", "/docs", { authorization: null })).status);
    const options = await api.call("OPTIONS", list, { authorization: null, headers: { Origin: "https://a.example" } });
    trial.equal("OPTIONS", 204, options.status);
  },
};

/** Reads the raw bytes, which `fetch` would decompress. */
async function isCompressed(trial: Trial, url: string): Promise<void> {
  const get = url.startsWith("https:") ? https.get : http.get;
  const request = get(url, { headers: { "Accept-Encoding": "gzip" }, timeout: 35_000 });
  request.on("timeout", () => request.destroy(new Error("no response within 35 s")));
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const bytes = await buffer(response);
  const coding = response.headers["content-encoding"] ?? "none";
  trial.equal("Content-Encoding for a client that accepts gzip", "gzip", coding);
  if (coding === "gzip") trial.equal("the unpacked page", "3.1.0", JSON.parse(String(gunzipSync(bytes))).openapi);
}
