import { useEffect, useRef, useState } from "preact/hooks";
import { useAction } from "./useAction.ts";

interface FormOf<Problems> {
  /** The message of a failure for the visitor. */
  explain(failure: unknown): string | undefined;
  /** The problems that the page finds; undefined if there are none. */
  check(): Problems | undefined;
  /** Sends the form after the check. */
  send(): Promise<void>;
  /** The message of a failure of this form only. It can report problems of fields. */
  handle?(failure: unknown, report: (problems: Problems) => void): Promise<string | undefined>;
}

/**
 * A form that is checked before it is sent. The focus moves to the first problem.
 *
 * @returns `form` has the properties of the form element; `submit` sends without the event of a button
 */
export function useForm<Problems>({ explain, check, send, handle }: FormOf<Problems>) {
  const [problems, setProblems] = useState<Problems>();
  const { isBusy, problem, run } = useAction(explain);
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems) ref.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-first]")?.focus();
  }, [problems]);

  async function submit(work = send) {
    const found = check();
    setProblems(found);
    if (!found) await run(work, handle && ((failure) => handle(failure, setProblems)));
  }
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void submit();
  };
  return { form: { ref, onSubmit, noValidate: true }, submit, problems, problem, isBusy };
}
