import { useCallback, useEffect, useState } from "preact/hooks";
import type { Input, OperationId, Output } from "./operations.ts";
import { useSession } from "./session.tsx";

/** The result of a reading operation. A failed repetition keeps the earlier data. */
export interface Read<Data> {
  data?: Data;
  /** When the data was read, in epoch milliseconds. */
  readAt?: number;
  problem?: string | undefined;
  isLoading: boolean;
  reload(): void;
}

/** Reads by an operation, and again whenever its parameters change. */
export function useRead<Id extends OperationId>(id: Id, input: Input<Id>): Read<Output<Id>> {
  const { client, explain } = useSession();
  const [state, setState] = useState<Omit<Read<Output<Id>>, "reload">>({ isLoading: true });
  const [count, setCount] = useState(0);
  const parameters = JSON.stringify(input);
  const reload = useCallback(() => setCount((before) => before + 1), []);

  useEffect(() => {
    let isCurrent = true;
    setState((before) => ({ ...before, isLoading: true, problem: undefined }));
    client(id, JSON.parse(parameters)).then(
      (data) => isCurrent && setState({ data, readAt: Date.now(), isLoading: false }),
      (failure) => isCurrent && setState((before) => ({ ...before, problem: explain(failure), isLoading: false })),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, explain, id, parameters, count]);

  return { ...state, reload };
}
