import type { License } from "../../api/schemas/license.ts";

/** A license from a register. Any of its four dates may be null; the import then fills it in. */
export interface RegisterLicense {
  /** Stable across all files of the state. */
  id: string;
  content: Omit<License, "id" | Dates> & { [Name in Dates]: string | null };
}

type Dates = "created_at" | "updated_at" | "edited_at" | "status_date";
