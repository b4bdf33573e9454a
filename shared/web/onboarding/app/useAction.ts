import { useAction as useActionWith } from "../../browser/useAction.ts";
import { useSession } from "./session.tsx";

/** Runs one action of the visitor at a time, and reports its failure in the words of this page. */
export const useAction = () => useActionWith(useSession().explain);
