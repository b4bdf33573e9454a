import type { Requirement } from "../../../api/schemas/requirement.ts";
import type { Call } from "../../browser/api.ts";
import { Rejection, Unreachable } from "../../browser/failures.ts";
import { namesOf } from "./files.ts";

/** The progress of one file. It is kept between attempts, so that a retry does not create a second document. */
export interface Way {
  file: File;
  type: string;
  requirementId: string;
  /** The upload link, valid until `expires_at` (epoch ms). */
  place?: { document_id: string; upload_link: string; expires_at: number };
  hasArrived?: true;
}

/** Uploads a document and returns its updated requirement. Every step can be repeated. */
export async function upload(
  call: Call,
  way: Way,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Requirement> {
  signal.throwIfAborted();
  const path = `onboarding/requirements/${way.requirementId}/document-uploads`;
  // A new link is needed only if the file has not arrived yet and the old link is missing or expires within a minute.
  if (!way.hasArrived && (way.place?.expires_at ?? 0) < Date.now() + 60_000) {
    const { name, size } = way.file;
    way.place = await call<NonNullable<Way["place"]>>("POST", path, { ...namesOf(name), file_type: way.type, size });
  }
  if (!way.place) throw new Unreachable();
  if (!way.hasArrived) {
    signal.throwIfAborted();
    try {
      await put(way.place.upload_link, way, onProgress, signal);
    } catch (error) {
      // The link may have ended although it is valid by the clock of the device. A retry gets another one.
      if (error instanceof Rejection && error.status < 500) delete way.place;
      throw error;
    }
    way.hasArrived = true;
  }
  signal.throwIfAborted();
  try {
    const added = await call<{ updated_requirement_response: Requirement }>("POST", `${path}/${way.place.document_id}`);
    return added.updated_requirement_response;
  } catch (error) {
    // 422: the service rejected the content, so a retry starts from the beginning.
    if (error instanceof Rejection && error.status === 422) {
      delete way.place;
      delete way.hasArrived;
    }
    throw error;
  }
}

/** Sends the file to its link. XMLHttpRequest reports upload progress, unlike `fetch`. */
function put(
  link: string,
  { file, type }: Way,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", link);
    request.setRequestHeader("Content-Type", type);
    request.setRequestHeader("If-None-Match", "*");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    // 412: the file already exists, from an attempt whose response was lost.
    request.onload = () =>
      request.status < 300 || request.status === 412 ? resolve() : reject(new Rejection(request.status, {}));
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
