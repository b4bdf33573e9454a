import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Client, Input, OperationId, Output } from "./operations.ts";
import type { StoredSession } from "./storage.ts";

/** What all screens share. */
export interface Session extends Pick<StoredSession, "person" | "institution"> {
  /** The address of the API, with a slash at its end. */
  api: string;
  client: Client;
  /** The message of a failure for the person; undefined if the failure ends the session. */
  explain(failure: unknown): string | undefined;
  /** Announces a text to screen readers. */
  announce(words: string): void;
  signOut(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("no session");
  return session;
}

/** The result of a reading operation. A failed repetition keeps the earlier data, but other parameters never do. */
export interface Read<Data> {
  data?: Data;
  /** When the data was read, in epoch milliseconds. */
  readAt?: number;
  problem?: string | undefined;
  isLoading: boolean;
  reload(): void;
}

/** Loads data, and again whenever its key changes. @param load undefined loads nothing */
export function useLoad<Data>(key: string, load: (() => Promise<Data>) | undefined): Read<Data> {
  const { explain } = useSession();
  const begun = { key, isLoading: load !== undefined };
  const [state, setState] = useState<Omit<Read<Data>, "reload"> & { key: string }>(begun);
  const [count, setCount] = useState(0);
  const reload = useCallback(() => setCount((before) => before + 1), []);

  useEffect(() => {
    let isCurrent = true;
    if (!load) return undefined;
    setState((before) => ({ ...(before.key === key && before), key, isLoading: true, problem: undefined }));
    load().then(
      (data) => isCurrent && setState({ key, data, readAt: Date.now(), isLoading: false }),
      (failure) => isCurrent && setState((before) => ({ ...before, problem: explain(failure), isLoading: false })),
    );
    return () => {
      isCurrent = false;
    };
  }, [explain, key, count]);

  return { ...(state.key === key ? state : begun), reload };
}

/** Reads by an operation, and again whenever its parameters change. @param input nothing is read without it */
export function useRead<Id extends OperationId>(id: Id, input: Input<Id> | false | undefined): Read<Output<Id>> {
  const { client } = useSession();
  return useLoad(JSON.stringify([id, input]), input ? () => client(id, input) : undefined);
}

/**
 * Calls operations that create a record. The `Idempotency-Key` stays the same until a call succeeds or its content changes, so that
 * a repetition after a lost response creates nothing twice.
 */
export function useCreation() {
  const { client } = useSession();
  const sent = useRef({ content: "", key: "" });
  return async <Id extends OperationId>(id: Id, input: Input<Id>): Promise<Output<Id>> => {
    const content = JSON.stringify([id, input]);
    if (sent.current.content !== content) sent.current = { content, key: crypto.randomUUID() };
    const created = await client(id, { ...input, idempotencyKey: sent.current.key });
    sent.current = { content: "", key: "" };
    return created;
  };
}

export type Business = Output<"getOverview">["data"][number];

/** The overview, which all screens share. */
export const OverviewContext = createContext<Read<Output<"getOverview">>>({ isLoading: true, reload: () => {} });

export const useOverview = () => useContext(OverviewContext);

/** The names of the institution's businesses, by id. Until they are read, the id stands for the name. */
export function useBusinessNames(): (crbId: string) => string {
  const { data } = useOverview();
  return (crbId) => data?.data.find(({ crb_id }) => crb_id === crbId)?.name ?? crbId;
}
