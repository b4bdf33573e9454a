import type { Requirement } from "../../../api/schemas/requirement.ts";
import type { Call } from "./api.ts";
import { Rejection, Unreachable } from "./failures.ts";

/** How far the way of one file is: kept between tries, so that none of them makes a second document. */
export interface Way {
  file: File;
  type: string;
  requirementId: string;
  /** Where the file may be put, until when (epoch ms). */
  place?: { document_id: string; upload_link: string; expires_at: number };
  hasArrived?: true;
}

/** Takes a document in, and answers the requirement as it then is. Every step of it can be done again. */
export async function upload(
  call: Call,
  way: Way,
  told: (part: number) => void,
  signal: AbortSignal,
): Promise<Requirement> {
  const path = `onboarding/requirements/${way.requirementId}/document-uploads`;
  // A link that has arrived is needed no more; one that ends before the file is through is no good.
  if (!way.hasArrived && (way.place?.expires_at ?? 0) < Date.now() + 60_000) {
    const { name, size } = way.file;
    way.place = await call<NonNullable<Way["place"]>>("POST", path, { file_name: name, file_type: way.type, size });
  }
  if (!way.place) throw new Unreachable();
  if (!way.hasArrived) {
    await put(way.place.upload_link, way, told, signal);
    way.hasArrived = true;
  }
  signal.throwIfAborted();
  try {
    const added = await call<{ updated_requirement_response: Requirement }>("POST", `${path}/${way.place.document_id}`);
    return added.updated_requirement_response;
  } catch (error) {
    // Refused for what has arrived: another try begins anew.
    if (error instanceof Rejection && error.status === 422) {
      delete way.place;
      delete way.hasArrived;
    }
    throw error;
  }
}

/** Puts the file to its link; unlike `fetch`, XMLHttpRequest tells how far it is. */
function put(link: string, { file, type }: Way, told: (part: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", link);
    request.setRequestHeader("Content-Type", type);
    request.setRequestHeader("If-None-Match", "*");
    request.upload.onprogress = ({ loaded, total }) => told(total > 0 ? loaded / total : 0);
    // 412: the file is there already, from a try whose answer got lost.
    request.onload = () =>
      request.status < 300 || request.status === 412 ? resolve() : reject(new Rejection(request.status, {}));
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
