import { heicWords, isHeic, maxBytes, megabytes, Unsuitable } from "./files.ts";

/**
 * The file to send: a picture above the limit becomes a smaller JPEG picture.
 *
 * @throws Unsuitable for a photo in the format HEIC, whatever its name is, and for a large picture that the browser
 *   cannot open; DOMException if the device no longer has the file
 */
export async function suitable(file: File): Promise<File> {
  // A photo that was renamed keeps its format. The name of the format follows the first four bytes. The reading also shows
  // whether the device still has the file.
  const beginning = await file.slice(4, 12).text();
  if (isHeic(beginning)) throw new Unsuitable(heicWords);
  if (file.size <= maxBytes) return file;
  const blob = await inTurn(() => shrunk(file));
  if (!blob) {
    throw new Unsuitable(
      `The picture has ${megabytes(file.size)}, the limit is 5 MB, and it cannot be made smaller here. Please take it at a lower quality.`,
    );
  }
  return new File([blob], file.name.replace(/\.[^.]*$/, ".jpg"), { type: "image/jpeg" });
}

let last: Promise<unknown> = Promise.resolve();

/** Runs work after the earlier work has ended. Phones limit the memory of all open pictures and canvases together. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}

/** Some phones cannot draw larger pictures, in pixels. */
const maxPixels = 16_000_000;

/** The picture as JPEG of at most `maxBytes`, upright, on white; undefined if the browser cannot open it. */
async function shrunk(file: File): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  const canvas = document.createElement("canvas");
  let scale = Math.min(1, Math.sqrt(maxPixels / (picture.width * picture.height)));
  try {
    for (; scale > 0.05; scale *= 0.8) {
      canvas.width = Math.max(1, Math.round(picture.width * scale));
      canvas.height = Math.max(1, Math.round(picture.height * scale));
      const context = canvas.getContext("2d");
      if (!context) return undefined;
      context.fillStyle = "#fff";
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
      if (!blob) return undefined;
      if (blob.size <= maxBytes) return blob;
    }
    return undefined;
  } finally {
    picture.close();
    // Otherwise Safari keeps the memory of the canvas for a while.
    canvas.width = 0;
  }
}
