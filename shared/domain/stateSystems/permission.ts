import type { StateSystem } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { readLinks } from "../linkedLicenses/readLinks.ts";

/** Whether the business has consented to terms that name the system, and not withdrawn. */
export const mayRead = ({ consent }: Pick<Crb, "consent">, system: StateSystem): boolean =>
  consent?.stateSystems?.includes(system) ?? false;

/** The states of the licenses that are linked to a CRB, by license number. */
export async function linkedStates(table: Table, crb: Crb): Promise<Map<string, string>> {
  const links = await readLinks(table, crb.serviceProviderId, crb.record.id, { consistent: true });
  return new Map(
    links.flatMap(({ names: { licenseId }, body }) => {
      const { license_identifier: number } = JSON.parse(body) as { license_identifier: string | null };
      return number === null ? [] : [[number, licenseId.replace(/-.*/, "")] as const];
    }),
  );
}
