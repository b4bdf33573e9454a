import { useState } from "preact/hooks";
import { storage } from "./storage.ts";

const prefix = "draft:";

/** Deletes the drafts of this tab. */
function removeDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}

/** Deletes the drafts of another person. @param sub the person who signed in; undefined at a sign-out */
export function keepDraftsOf(sub: string | undefined): void {
  if (sub === undefined || storage.read("draftsOf") !== sub) removeDrafts();
  if (sub === undefined) storage.remove("draftsOf");
  else storage.write("draftsOf", sub);
}

/**
 * The state of a form that survives another sign-in of the same person, but no sign-out.
 *
 * @param name names the form and its subject, such as `insight:ID`
 * @returns the state, its setter, and a function that deletes the draft after the form was sent
 */
export function useDraft<Value>(name: string, initial: Value) {
  const key = prefix + name;
  const [value, setValue] = useState<Value>(() => {
    const stored = sessionStorage.getItem(key);
    return stored === null ? initial : JSON.parse(stored);
  });
  const set = (next: Value) => {
    sessionStorage.setItem(key, JSON.stringify(next));
    setValue(next);
  };
  const clear = () => {
    sessionStorage.removeItem(key);
    setValue(initial);
  };
  return [value, set, clear] as const;
}
