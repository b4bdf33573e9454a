import type { License } from "../../api/schemas/license.ts";

/** A license from a register. The import fills in those of the three dates that are null. */
export interface RegisterLicense {
  /** Stable across all files of the state. */
  id: string;
  content: Omit<License, Dates> & { [Name in Dates]: string | null };
}

type Dates = "created_at" | "updated_at" | "edited_at";
