import type { License } from "../../api/schemas/license.ts";

/** A license as a register has it; what it says nothing of among the three dates, the import fills in. */
export interface RegisterLicense {
  /** The same for the same license in every file of its state. */
  id: string;
  content: Omit<License, Dates> & { [Name in Dates]: string | null };
}

type Dates = "created_at" | "updated_at" | "edited_at";
