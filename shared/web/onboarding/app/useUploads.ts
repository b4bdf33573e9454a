import { useEffect, useRef, useState } from "preact/hooks";
import type { Requirement } from "../../../api/schemas/requirement.ts";
import type { Call } from "../../browser/api.ts";
import { problemOf, rejectionMessage, typeOf } from "./files.ts";
import { suitable } from "./pictures.ts";
import { upload, type Way } from "./uploading.ts";

/** A current or failed upload. */
export interface Upload {
  key: number;
  requirementId: string;
  name: string;
  /** Progress from 0 to 1. */
  part: number;
  /** The reason of the failure, in words. */
  problem?: string;
  /** Whether a retry can succeed. */
  canRetry: boolean;
}

export interface Uploads {
  list: readonly Upload[];
  add(requirementId: string, files: Iterable<File>): void;
  retry(key: number): void;
  remove(key: number): void;
}

interface UploadsOf {
  call: Call;
  /** Called for each requirement that received a document. */
  added(requirement: Requirement, name: string): void;
  explain(failure: unknown): string | undefined;
}

/** All uploads of the page. They continue when the visitor goes to another step. */
export function useUploads({ call, added, explain }: UploadsOf): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const ways = useRef(new Map<number, { way: Way; abort: AbortController }>());
  const counter = useRef(0);

  const change = (key: number, changed: Partial<Upload>) =>
    setList((uploads) => uploads.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  const forget = (key: number) => {
    ways.current.delete(key);
    setList((uploads) => uploads.filter((each) => each.key !== key));
  };

  async function send(key: number, way: Way): Promise<void> {
    const abort = new AbortController();
    ways.current.set(key, { way, abort });
    try {
      way.file = await suitable(way.file);
      way.type = typeOf(way.file.name) ?? "";
      const requirement = await upload(call, way, (part) => change(key, { part }), abort.signal);
      forget(key);
      added(requirement, way.file.name);
    } catch (failure) {
      if (abort.signal.aborted) return;
      const rejection = rejectionMessage(failure);
      change(key, {
        problem: rejection ?? explain(failure) ?? "The file was not sent.",
        canRetry: rejection === undefined,
      });
    }
  }

  const isSending = list.some(({ problem }) => problem === undefined);
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isSending]);

  return {
    list,
    add(requirementId, files) {
      for (const file of files) {
        counter.current += 1;
        const key = counter.current;
        const problem = problemOf(file);
        const entry = { key, requirementId, name: file.name, part: 0, canRetry: false, ...(problem && { problem }) };
        setList((uploads) => [...uploads, entry]);
        if (!problem) void send(key, { file, type: "", requirementId });
      }
    },
    retry(key) {
      const found = ways.current.get(key);
      if (!found) return;
      setList((uploads) =>
        uploads.map((each) => {
          if (each.key !== key) return each;
          const { problem, ...again } = each;
          return { ...again, part: 0 };
        }),
      );
      void send(key, found.way);
    },
    remove(key) {
      ways.current.get(key)?.abort.abort();
      forget(key);
    },
  };
}
