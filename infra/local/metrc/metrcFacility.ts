import type { MetrcCustomerType } from "../../../shared/api/enumerations.ts";
import { toLocalTime } from "../../../shared/time/localTime.ts";

/** A receipt of a facility. All times are epoch milliseconds. */
export interface FacilityReceipt {
  id: number;
  soldAt: number;
  modifiedAt: number;
  cents: number;
  type: MetrcCustomerType;
  isFinal: boolean;
  archivedAt: number | null;
}

/** The response to a request. A body that is not text is sent as JSON. */
export interface FacilityAnswer {
  status: number;
  body: unknown;
}

export type List = "active" | "inactive";

const maxPageSize = 20;
const denied: FacilityAnswer = {
  status: 401,
  body: "<!DOCTYPE html><html><body>401 - Unauthorized: Access is denied</body></html>",
};

/** One licensed facility in Metrc, in memory: its receipts, and the part of the API that shows them. */
export class MetrcFacility {
  readonly licenseNumber: string;
  readonly vendorKey: string;
  readonly userKey: string;
  readonly #timeZone: string;
  readonly #receipts = new Map<number, FacilityReceipt>();
  /** the receipts of the last windows by list and window, until a receipt changes */
  readonly #views = new Map<string, FacilityReceipt[]>();

  constructor(access: { licenseNumber: string; vendorKey: string; userKey: string; timeZone: string }) {
    this.licenseNumber = access.licenseNumber;
    this.vendorKey = access.vendorKey;
    this.userKey = access.userKey;
    this.#timeZone = access.timeZone;
  }

  get receipts(): ReadonlyMap<number, FacilityReceipt> {
    return this.#receipts;
  }

  /** Adds a receipt, or replaces the one with the same id. */
  put(receipt: FacilityReceipt): void {
    this.#receipts.set(receipt.id, receipt);
    this.#views.clear();
  }

  /** @param query the decoded parameters */
  answer(path: string, query: URLSearchParams, authorization: string | undefined): FacilityAnswer {
    const keys = Buffer.from(`${this.vendorKey}:${this.userKey}`).toString("base64");
    if (authorization !== `Basic ${keys}`) return denied;
    const facility = { Name: "Planted Facility", License: { Number: this.licenseNumber, LicenseType: "Retail" } };
    const owner = { HireDate: "2020-01-01", IsOwner: false, IsManager: true, DisplayName: "Planted Person" };
    if (path === "/facilities/v2") return { status: 200, body: [{ ...owner, ...facility }] };
    if (query.get("licenseNumber") !== this.licenseNumber) return denied;
    if (path === "/employees/v2/permissions") return denied;
    const [, list] = /^\/sales\/v2\/receipts\/(active|inactive)$/.exec(path) ?? [];
    return list ? this.#page(list as List, query) : { status: 404, body: { Message: "No HTTP resource was found" } };
  }

  #page(list: List, query: URLSearchParams): FacilityAnswer {
    const [size, number] = ["pageSize", "pageNumber"].map((name) => Number(query.get(name) ?? 1)) as [number, number];
    if (!(size >= 1 && size <= maxPageSize && number >= 1)) return { status: 400, body: { Message: "pageSize" } };
    const found = this.changedIn(list, query.get("lastModifiedStart"), query.get("lastModifiedEnd"));
    const rows = found.slice((number - 1) * size, number * size).map((receipt) => this.#row(receipt));
    const totals = {
      ...{ Total: found.length, TotalRecords: found.length, PageSize: size, RecordsOnPage: rows.length },
      ...{ Page: number, CurrentPage: number, TotalPages: Math.ceil(found.length / size) },
    };
    return { status: 200, body: { Data: rows, ...totals } };
  }

  /** Without a window, or with a bound that cannot be read, only a part of the receipts comes. */
  protected changedIn(list: List, from: string | null, to: string | null): FacilityReceipt[] {
    const key = `${list} ${from} ${to}`;
    const known = this.#views.get(key);
    if (known) return known;
    const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")];
    const isCut = Number.isNaN(start) || Number.isNaN(end);
    const found = [...this.#receipts.values()].filter((receipt) => {
      if (listOf(receipt) !== list) return false;
      return isCut ? receipt.id % 50 === 0 : receipt.modifiedAt >= start && receipt.modifiedAt <= end;
    });
    found.sort((a, b) => a.id - b.id);
    this.#views.set(key, found);
    return found;
  }

  #row({ id, soldAt, modifiedAt, cents, type, isFinal, archivedAt }: FacilityReceipt): object {
    const iso = (instant: number) => new Date(instant).toISOString().replace("Z", "+00:00");
    return {
      Id: id,
      ReceiptNumber: String(id).padStart(10, "0"),
      ExternalReceiptNumber: null,
      SalesDateTime: toLocalTime(new Date(soldAt).toISOString(), this.#timeZone)?.replace(" ", "T"),
      SalesCustomerType: type,
      PatientLicenseNumber: type === "Patient" ? `Plantedpatient${id}` : null,
      CaregiverLicenseNumber: type === "Caregiver" ? `Plantedcaregiver${id}` : null,
      IdentificationMethod: "Plantedidentification",
      PatientRegistrationLocationId: null,
      TotalPackages: 1 + (id % 4),
      TotalPrice: cents / 100,
      Transactions: [],
      IsFinal: isFinal,
      ArchivedDate: archivedAt === null ? null : iso(archivedAt),
      RecordedDateTime: iso(soldAt),
      RecordedByUserName: "Planteduser Name",
      LastModified: iso(modifiedAt),
    };
  }
}

const listOf = ({ isFinal, archivedAt }: FacilityReceipt): List =>
  isFinal || archivedAt !== null ? "inactive" : "active";
