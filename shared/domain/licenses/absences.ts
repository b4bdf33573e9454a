import type { FileLicenses } from "./readFileLicenses.ts";
import type { RegisterEntry } from "./registerEntries.ts";
import { type Register, registerName } from "./registerRow.ts";

/** The values of a stored license that say whether the present register has it. */
export type Presence = Pick<RegisterEntry, "part" | "readOn" | "absentSince" | "missingSince">;

/**
 * Maximum share of a register's licenses that one import can report as missing. States publish some changes a week, so
 * a file that lacks more is probably incomplete.
 */
const maxMissingShare = 0.05;

/** Finds the stored licenses that a register's file lacks, and those that have reappeared. */
export class Absences {
  readonly #register: Pick<Register, "state">;
  readonly #file: FileLicenses;
  readonly #today: string;
  readonly #presences = new Map<string, Presence>();
  readonly #days: Readonly<Record<string, string>>;
  readonly #absent: { id: string; readOn: string; part: string | undefined; absentSince: string | undefined }[] = [];
  #listed = 0;

  /**
   * @param today the UTC day of the import
   * @param days the UTC days of the last imports before, by `registerName`
   */
  constructor(
    register: Pick<Register, "state">,
    file: FileLicenses,
    today: string,
    days: Readonly<Record<string, string>>,
  ) {
    this.#days = days;
    this.#register = register;
    this.#file = file;
    this.#today = today;
  }

  /** Compares a stored license of any register with the file. */
  add({ state, id, part, readOn, created, absentSince, missingSince }: RegisterEntry): void {
    const { licenses, rejectedIds, parts } = this.#file;
    if (state !== this.#register.state) return;
    const license = licenses.get(id);
    const lastReadOn = readOn ?? this.#days[registerName({ state, part })] ?? created.slice(0, 10);
    if (license || rejectedIds.has(id)) {
      this.#listed++;
      const ofPart = license ? license.part : part;
      const since = license ? undefined : lastReadOn;
      if (part === ofPart && readOn === since && absentSince === undefined && missingSince === undefined) return;
      this.#presences.set(id, {
        ...(ofPart !== undefined && { part: ofPart }),
        ...(since !== undefined && { readOn: since }),
      });
    } else if (parts.has(part) && missingSince === undefined) {
      this.#listed++;
      this.#absent.push({ id, readOn: lastReadOn, part, absentSince });
    }
  }

  /**
   * Decides about the absent licenses, after all stored licenses were added. An absent license is missing, unless the
   * register has shrunk suddenly or a row of the file could not be identified. Then an import on a later day has to
   * confirm the absence. A repeated import of the same day confirms nothing, because it may have the same file. A file
   * without licenses is no register, so it makes no license absent.
   *
   * @returns the changed presences by id, and the numbers of licenses that are missing now or need confirmation
   */
  decide(): { presences: ReadonlyMap<string, Presence>; missing: number; unconfirmed: number } {
    if (this.#file.licenses.size === 0) return { presences: new Map(), missing: 0, unconfirmed: 0 };
    const count = this.#absent.length;
    const isSudden = count > 1 && count > maxMissingShare * this.#listed;
    const needsConfirmation = isSudden || this.#file.hasUnidentifiedRows;
    let [missing, unconfirmed] = [0, 0];
    for (const { id, readOn, part, absentSince } of this.#absent) {
      const isConfirmed = absentSince !== undefined && absentSince < this.#today;
      const isMissing = isConfirmed || !needsConfirmation;
      if (isMissing) missing++;
      else unconfirmed++;
      if (!isMissing && absentSince !== undefined) continue;
      const since = isMissing ? { missingSince: this.#today } : { absentSince: this.#today };
      this.#presences.set(id, { ...(part !== undefined && { part }), readOn, ...since });
    }
    return { presences: this.#presences, missing, unconfirmed };
  }
}
