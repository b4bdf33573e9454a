import { afterEach, expect, test, vi } from "vitest";
import { Unsuitable } from "../../../../../shared/web/onboarding/app/files.ts";
import { suitable } from "../../../../../shared/web/onboarding/app/pictures.ts";

afterEach(() => vi.unstubAllGlobals());

const large = (name: string) => new File([new Uint8Array(6_000_000)], name);

test("large pictures are opened one after the other, also after one that cannot be made smaller", async () => {
  let open = 0;
  let maxOpen = 0;
  let opened = 0;
  const close = () => void open--;
  vi.stubGlobal("createImageBitmap", async () => {
    open++;
    opened++;
    maxOpen = Math.max(maxOpen, open);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { width: 4_000, height: 3_000, close };
  });
  // A browser without memory for a canvas.
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) });
  const results = await Promise.allSettled(["1.jpg", "2.png", "3.jpg"].map((name) => suitable(large(name))));
  for (const result of results) expect(result).toMatchObject({ reason: expect.any(Unsuitable) });
  expect({ opened, maxOpen, open }).toEqual({ opened: 3, maxOpen: 1, open: 0 });
});

test.each(["scan.pdf", "photo.jpg"])("%s that the device no longer has is reported", async (name) => {
  const file = new File(["x"], name);
  file.slice = () => ({ text: () => Promise.reject(new DOMException("", "NotReadableError")) }) as unknown as Blob;
  await expect(suitable(file)).rejects.toBeInstanceOf(DOMException);
});
