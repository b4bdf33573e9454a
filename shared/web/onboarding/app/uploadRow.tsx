import { useSession } from "./session.tsx";
import type { Upload } from "./useUploads.ts";

/** A current or failed upload. */
export function UploadRow({ upload: { key, name, part, problem, canRetry } }: { upload: Upload }) {
  const { uploads } = useSession();
  return (
    <div class="row">
      <span class="grow">
        <span>{name}</span>
        {problem ? (
          <span class="problem-words" role="alert">
            {problem}
          </span>
        ) : (
          <progress aria-label={`Sending ${name}`} value={part} max={1} />
        )}
      </span>
      {problem && canRetry && (
        <button type="button" aria-label={`Try again: ${name}`} onClick={() => uploads.retry(key)}>
          Try again
        </button>
      )}
      <button
        type="button"
        aria-label={`${problem ? "Dismiss" : "Cancel"} ${name}`}
        onClick={() => uploads.remove(key)}
      >
        {problem ? "Dismiss" : "Cancel"}
      </button>
    </div>
  );
}
