import { afterEach, expect, test, vi } from "vitest";
import type { Call } from "../../../../../shared/web/browser/api.ts";
import { Rejection } from "../../../../../shared/web/browser/failures.ts";
import { upload, type Way } from "../../../../../shared/web/onboarding/app/uploading.ts";

afterEach(() => vi.unstubAllGlobals());

const added = { updated_requirement_response: { requirement_id: "r", name: "License" } };

/** A browser that sends files to a store. @param statuses the responses of the store, in their order */
function stubStore(...statuses: number[]) {
  const sent: string[] = [];
  class Request {
    status = 0;
    upload = {};
    link = "";
    onload?: () => void;
    open(_: string, link: string) {
      this.link = link;
    }
    setRequestHeader() {}
    abort() {}
    send() {
      sent.push(this.link);
      this.status = statuses.shift() ?? 200;
      this.onload?.();
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
  return sent;
}

/** The operations of uploads. @param onRequest called at each request for a link */
function createApi(onRequest: () => void = () => {}) {
  const requested: string[] = [];
  const call = (async (_: string, path: string) => {
    const isCompletion = path.includes("/document-uploads/");
    requested.push(isCompletion ? "completion" : "link");
    if (isCompletion) return added;
    onRequest();
    const number = requested.filter((each) => each === "link").length;
    // By the clock of the device, the link does not end soon.
    return { document_id: `d${number}`, upload_link: `link ${number}`, expires_at: Date.now() + 3_600_000 };
  }) as Call;
  return { call, requested };
}

const wayOf = (): Way => ({ file: new File(["x"], "license.pdf"), type: "application/pdf", requirementId: "r" });
const signal = () => new AbortController().signal;

test.each([400, 403])("after a link is rejected with %i, a retry sends the file to another one", async (status) => {
  const sent = stubStore(status);
  const { call, requested } = createApi();
  const way = wayOf();
  await expect(upload(call, way, () => {}, signal())).rejects.toMatchObject({ status, code: "" });
  await expect(upload(call, way, () => {}, signal())).resolves.toEqual(added.updated_requirement_response);
  expect(sent).toEqual(["link 1", "link 2"]);
  expect(requested).toEqual(["link", "link", "completion"]);
});

test("after a fault of the store, a retry sends the file to the same link", async () => {
  const sent = stubStore(503);
  const { call } = createApi();
  const way = wayOf();
  await expect(upload(call, way, () => {}, signal())).rejects.toBeInstanceOf(Rejection);
  await upload(call, way, () => {}, signal());
  expect(sent).toEqual(["link 1", "link 1"]);
});

test("a file that is canceled while its link is requested is not sent", async () => {
  const sent = stubStore();
  const abort = new AbortController();
  const { call, requested } = createApi(() => abort.abort());
  await expect(upload(call, wayOf(), () => {}, abort.signal)).rejects.toMatchObject({ name: "AbortError" });
  expect(sent).toEqual([]);
  expect(requested).toEqual(["link"]);
});

test("a file that is canceled before its link is requested needs none", async () => {
  stubStore();
  const { call, requested } = createApi();
  await expect(upload(call, wayOf(), () => {}, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  expect(requested).toEqual([]);
});
