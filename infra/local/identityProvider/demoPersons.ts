import type { PersonRole } from "../../../shared/api/enumerations.ts";

/** A person of the demo, named by the role. */
export interface DemoPerson {
  /** The claim `sub`. */
  sub: string;
  name: string;
  role: PersonRole;
  /** Shown on the page where a visitor chooses a person. */
  may: string;
}

export const demoPersons: readonly DemoPerson[] = [
  { sub: "demo-viewer", name: "Demo viewer", role: "viewer", may: "reads all businesses" },
  {
    sub: "demo-reviewer",
    name: "Demo reviewer",
    role: "reviewer",
    may: "also reviews documents, licenses, deposits and insights",
  },
  {
    sub: "demo-administrator",
    name: "Demo administrator",
    role: "administrator",
    may: "also manages credentials, webhooks and settings",
  },
];
