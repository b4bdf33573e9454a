/** A rule that sales are checked against (docs/guide/compliance.md#sale-checks). */
export interface SaleRule {
  /** `CO.adult.minimum_age`; `all.…` for a rule of every state */
  id: string;
  /** two-letter code; null for a rule of every state */
  state: string | null;
  check: string;
  /** the customers, by the type that the sale names */
  applies_to: "adult" | "medical" | "all";
  /** a number in `unit`, a frame of local times such as `06:00-22:00`, or null if the rule has no value */
  value: number | string | null;
  unit: string | null;
  /** what a sale may exceed the value by before it is found, in `unit`; minutes for `local_time` */
  tolerance: number | null;
  /** how much one unit of a kind of product counts, in the rule's unit; null if each kind has a limit of its own */
  equivalence: Readonly<Record<string, number>> | null;
  /** kinds of cannabis products that the rule certainly does not limit */
  not_limited: readonly string[] | null;
  /** `sale`, `day`, `possession`, or `days:` and a number */
  period: string;
  /** first and last local day, yyyy-MM-dd; null if the rule has no end */
  from: string;
  to: string | null;
  /** null for a rule that is no law */
  citation: string | null;
  sources: readonly SaleRuleSource[];
  remarks: readonly string[];
  severity: "exception" | "warning";
  enabled: boolean;
  /** why the rule is not enabled; null if it is */
  why_not: string | null;
}

/** A page with its address, or a file of a public repository. */
interface SaleRuleSource {
  title: string;
  url?: string;
  repository?: string;
  path?: string;
  commit?: string;
  /** the day on which it was read, yyyy-MM-dd */
  read: string;
}

/** What a sale is checked by: the fields of a stored sale (docs/spec.md#sales). */
export interface CheckedSale {
  date: string | null;
  /** `yyyy-MM-dd HH:mm:ss.SSS` in the time zone of the business */
  local_date: string;
  svc_created_date: string | null;
  transaction_type: string | null;
  pos_name: string;
  tax_paid: number | null;
  total_paid: number | null;
  taxes: readonly unknown[];
  line_items: readonly CheckedLine[];
  customer: {
    type: "medical" | "rec" | null;
    dob: string | null;
    id_type: string | null;
    id_expiration_date: string | null;
  };
}

/** A line of a checked sale. */
export interface CheckedLine {
  product_name: string | null;
  product_type: string | null;
  cannabis_product: boolean | null;
  num_units: number | null;
  /** cents */
  price_per_unit: number | null;
  /** net weight of all units */
  grams: number | null;
  thc_mg_per_unit?: number | null;
  line_item_discounts: readonly { flat_amount: number | null }[];
  line_item_taxes: readonly unknown[];
}
