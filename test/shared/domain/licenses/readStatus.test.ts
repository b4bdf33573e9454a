import { describe, expect, test } from "vitest";
import { readStatus } from "../../../../shared/domain/licenses/readStatus.ts";

const uniformOf = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text) => [text, readStatus(text).uniform]));
const all = (texts: readonly string[], uniform: string) => Object.fromEntries(texts.map((text) => [text, uniform]));

const active = [
  ...["Active", "ACTIVE (ISSUED)", "Issued", "Licensed", "Current", "Valid", "ACT", "(Active)", "Active\u00a0License"],
  ...["In Good Standing", "Good-Standing", "Operational", "In Operation", "In Effect", "Renewed", "Permit Issued"],
  ...[
    "Active!",
    "*ACTIVE*",
    "[Active]",
    "Status=Active",
    "Active \u2013 Issued",
    "\u2022 Active",
    "\u00abActive\u00bb",
  ],
  ...["Reactivated", "Re-activated", "Reinstated", "Currently Active", "Active - Adult-Use", "Approved - Active"],
  ...[
    "Active - Renewal Pending",
    "Active/Pending Renewal",
    "Active (in renewal)",
    "Active, not expired",
    "Active - Never Revoked",
  ],
  ...["Renovada", "Reactivada", "Renouvelée", "Activa", "Vigente", "Active", "En vigueur"],
  ...["Active in State", "Active (In-State)", "Active, In Good Standing"],
];

const notActive = [
  ...[
    "Not Active",
    "NotActive",
    "NOT_ACTIVE",
    "Non-Active",
    "nonactive",
    "non\u2010active",
    "No longer active",
    "Not Currently Active",
  ],
  ...[
    "Isn't active",
    "Isn’t Active",
    "In-Active",
    "Inactive",
    "INACT",
    "In-valid",
    "Not Active - Surrender",
    "De-activated",
    "Not Issued",
    "Not yet issued",
    "Unissued",
  ],
  ...[
    "Non-Operational",
    "Nonoperational",
    "Not Operating",
    "Not in Good Standing",
    "Not Current",
    "Not in Effect",
    "Not in Force",
  ],
  ...[
    "Never Approved",
    "No active license",
    "No activa",
    "No vigente",
    "Inactivo",
    "Not Valid",
    "Non-Renewed",
    "Not Renewed",
  ],
];

const ended = [
  ...[
    "Void",
    "VOIDED - Duplicate",
    "Null and Void",
    "Lapsed",
    "Lapsed-Late Renewal Period",
    "Terminated",
    "Termination",
  ],
  ...[
    "Relinquished",
    "Relinquishment",
    "Dissolved",
    "Dissolution",
    "Discontinued",
    "Discontinuance",
    "Nonrenewal",
    "Non-renewal",
  ],
  ...[
    "Closed",
    "CLOSED (PERMANENT)",
    "Temporarily Closed",
    "Closure",
    "Out of Business",
    "Shut Down",
    "Withdrawn",
    "Withdrawal",
  ],
  ...[
    "Forfeited",
    "Forfeiture",
    "Abandoned",
    "Denied",
    "Application Denied",
    "Rejected",
    "Disapproved",
    "Canceled",
    "Cancelled by Licensee",
  ],
  ...[
    "CANC",
    "Cancellation",
    "Surrendered",
    "Voluntary Surrender",
    "Revoked",
    "Revocation",
    "Revoked - Nonpayment",
    "Suspended",
  ],
  ...[
    "SUSP",
    "Summary Suspension",
    "Emergency Suspension",
    "Deactivated",
    "Invalid",
    "Rescinded",
    "Annulled",
    "Nullified",
    "Ceased",
  ],
  ...[
    "Inoperative",
    "Defunct",
    "Decertified",
    "Conditional License Revoked",
    "Expired - Revoked",
    "License Void",
    "Closed - Not Renewed",
  ],
  // An ending before its reason or its day.
  ...["Suspended for nonpayment", "Revoked due to violations", "Suspended - Violation", "Revoked (see order)"],
  ...[
    "Closed per owner request",
    "Closed - Licensee Request",
    "Surrendered - Owner's Request",
    "Suspended - Serious Violation",
    "Suspended - Under Investigation",
    "Revoked - Failed Inspection",
    "Surrendered since Jan 5, 2026",
    "Revoked 20260105",
  ],
  ...[
    "Ceased Operations",
    "Closed Out",
    "Closed Location",
    "Surrendered in Lieu of Discipline",
    "Denied without Prejudice",
  ],
  ...["Withdrawn from Program", "Revoked eff. 1/1/2024", "Revoked Mon Jan 5 2026"],
  ...["Suspendida temporalmente", "Cancelado voluntariamente", "Inactive Retailer", "Suspended (30 days)"],
  ...["Business Closed", "Licensee Suspended", "State License Revoked", "Deemed Abandoned", "Suspended - Terminated"],
  ...["Not Active - Revoked", "Non-Profit, Revoked", "No renovada", "Non renouvelée"],
  ...["Suspendida", "Revocada", "Cancelado", "Révoquée", "Suspendue", "Annulée", "Cerrada"],
];

const expired = [
  "Expired",
  "EXPIRED",
  "EXP",
  "(EXP.)",
  "License Exp",
  "EXPD 6/30/2024",
  "Expired 6/30/2024",
  "Expired over 90 days",
  "Vencida el 1/1/2026",
  "License Expired",
  "Expired - Not Renewed",
  "Vencida",
  "Expirée",
];

const unknown = [
  // An active license with a word that limits it, or that the service does not know.
  ...[
    "Active - Litigation Hold",
    "Active Title Certificate",
    "Active la",
    "Active - Pending Inspection",
    "Active (Pending)",
    "Active - Probation",
  ],
  ...[
    "Active with conditions",
    "Active until 6/30/2027",
    "Active - Administrative",
    "Active - Restricted",
    "Active - Delinquent",
  ],
  ...[
    "Active?",
    "Active/Expired",
    "Active or Expired",
    "Active - Suspended",
    "Inactive - Active Renewal",
    "Active Application",
  ],
  ...[
    "Formerly Active",
    "In Active",
    "Semi-active",
    "Proactive",
    "Actively Seeking",
    "Actve",
    "\u0410ctive",
    "Act\u200bive",
  ],
  ...[
    "Approved, not operating",
    "License Issued - Not Operational",
    "PENDING (ISSUED)",
    "Issued - Expired",
    "Active - not renewed",
  ],
  // An ending that is not certain, or not about the license.
  ...[
    "Revocation Pending",
    "Pending Revocation",
    "Proposed Revocation",
    "Notice of Suspension",
    "Revoked - Stayed",
    "To be closed",
  ],
  ...[
    "Suspension Lifted",
    "Suspension Terminated",
    "Revocation Rescinded",
    "Cancellation Requested",
    "Closing",
    "Revocable",
    "Partially Suspended",
  ],
  ...[
    "Renewal Denied",
    "Transfer Withdrawn",
    "Closed Case",
    "Previously Suspended",
    "About to Expire",
    "Expiring Soon",
    "Expires 2027",
  ],
  ...["Expired - Renewal Pending", "Not Expired", "Not Suspended", "Suspended or Active", "Revoked?"],
  ...["Revoked: No", "Suspended: N", "Expired - No", "No active suspension", "No active license revocation"],
  ...["Not permanently closed", "Not administratively suspended", "Not under suspension"],
  ...["Penalty Suspended", "Sanction Expired", "Violation Closed", "Hearing Cancelled", "File Closed", "Open/Closed"],
  ...["Expired - In renewal", "Expired (grace period)", "Expired - Extended", "Expired - Renewal In Process"],
  // A permission that is in the past, negated by a sign, or split.
  ...["Was active", "Had been licensed", "was active renewal pending", "!Active", "! Active", "!=Active", "≠Active"],
  ...[
    "<>Active",
    "¬Active",
    "✗ Active",
    "❌ Active",
    "☐ Active",
    "[ ] Active",
    "A\u0336c\u0336tive",
    "Active\u20e0",
    "Active\u0000",
  ],
  ...[
    "In valid",
    "In Effective",
    "in-effective",
    "In Operational",
    "In\u200bactive",
    "In\u00advalid",
    "in\u2060-active",
  ],
  // A negation that only signs separate from its word.
  ...["In/Active", "(In)Active", "In.Active", "In--Active", "(In) Valid", "In: Effective", "In/Good Standing"],
  ...["(In)approved", "In licensed", "Active/In", "Active (in)", "In, licensed"],
  ...["(Un)Licensed", "Un/approved", "(Non)Active", "Non--Active", "Not/Active", "(Not) Active", "(Pre)Approved"],
  ...["Dis/Approved", "Dis approved", "dis--approved", "(De)Activated", "De/Activated", "De--activated"],
  ...["(Un)Suspended", "Un/Revoked", "Non/Revoked", "Un: expired"],
  // An abbreviation of an ending with a date, which may be the day of an end to come.
  ...["EXP 12/31/2027", "Exp. Date 12/31/2027", "Exp. 2027", "Exp Dec 31 2027", "EXP on 12/31/2027", "EXP: 20271231"],
  ...["Exp Date", "SUSP 12/31/2027", "Canc. Date 12/31/2027", "SURR 2027"],
  ...["Expired Date 12/31/2027", "Closed date: 12/31/2027", "Revoked Date 1/1/2028", "Date Expired 12/31/2027"],
  // An ending before its subject.
  ...[
    "Denied - Renewal",
    "Denied: Transfer of ownership",
    "Denied a renewal",
    "Closed (complaint)",
    "Canceled the hearing",
  ],
  ...["Withdrawn (modification request)", "Suspended (local license)", "Expired insurance", "Revoked employee badge"],
  ...["Suspended delivery privileges", "Surrendered delivery endorsement", "Denegada - renovación", "Closed violation"],
  ...["Denied license transfer", "Denied the license renewal", "Denied for Renewal", "Withdrawn - Citation"],
  ...[
    "Denied - Ownership Change",
    "Denied - Ownership Transfer",
    "Denied (Location Change)",
    "Withdrawn - Late Renewal",
  ],
  ...[
    "Denied: Premises Modification",
    "Expired - Timely Renewal",
    "Denied (Name Change)",
    "Denied - Application Renewal",
  ],
  // Another subject of the ending.
  ...["Renewal Period Suspended", "Late Renewal Period Closed", "Renewal Period Expired", "Renewal Period Ended"],
  ...["Owner Request - Denied", "Licensee Request: Withdrawn", "Holder Request (Denied)", "Denied - Licensee Request"],
  ...["Terminated - Probation", "Closed - Violation", "Expired: Hold", "Voided - Citation"],
  // Words without a known meaning.
  ...[
    "Administrative Hold",
    "Temporary",
    "Delinquent",
    "Renewal Pending",
    "Pending Renewal",
    "Grace Period",
    "On Hold",
    "Probation",
  ],
  // biome-ignore format: a value on each line fills a screen
  ...[
    "A", "I", "Y", "N", "Yes", "No", "1", "N/A", "NULL", "-", "Unknown", "Open", "Transferred", "Non-Compliant", "Not",
    "pre-",
  ],
  ...["No current violations", "constructor", "__proto__"],
  // An ending that was undone, or may have been.
  ...["Suspended (stay granted)", "Suspended - Reinstatement Granted", "Suspended/Restored", "Suspended - Cleared"],
  ...["Revoked - Rescinded", "Revoked, later annulled", "Expired - Continued", "Expired - Renewal Received"],
  ...["Expired; renewal granted", "Vencida - renovada", "Vencida en renovación", "Suspendida (levantada)"],
  ...["Suspendue (levée)", "Revocada - apelación"],
  // A negation that is not next to its word.
  ...["Not really suspended", "Not: Revoked", 'Not "Revoked"', "Not at all revoked", "Aren't revoked", "Not Pending"],
  ...["Revoked: None", "Revoked: 0", "No está suspendida", "Ya no está suspendida", "N’est plus suspendue"],
  ...["Ni suspendida ni revocada", "Pas encore expirée"],
  // A word before the ending that limits it, or names another subject.
  ...["Nearly Expired", "Wrongly Revoked", "Other than revoked", "Insurance Expired", "Agent Card Expired"],
  ...["Payment Voided", "Local License Expired", "Renovación denegada", "Casi vencida", "Presque expirée"],
];

describe("a register's status", () => {
  test("is Active only if every word agrees", () => expect(uniformOf(active)).toEqual(all(active, "Active")));

  test("is Inactive if a word for an active license is negated", () =>
    expect(uniformOf(notActive)).toEqual(all(notActive, "Inactive")));

  test("is Inactive if the license has ended or is interrupted", () =>
    expect(uniformOf(ended)).toEqual(all(ended, "Inactive")));

  test("is Unknown if it is not certain", () => expect(uniformOf(unknown)).toEqual(all(unknown, "Unknown")));

  test("is Approved/Pending if a decision or a condition is open", () => {
    const texts = [
      "Approved",
      "Pending",
      "PEND",
      "Conditional",
      "Provisional License",
      "Conditional Approval",
      "Application Submitted",
    ];
    expect(uniformOf(texts)).toEqual(all(texts, "Approved/Pending"));
  });

  test("distinguishes no license, and the time before a license", () => {
    const none = ["Unlicensed", "Un-licensed", "Not Licensed", "No License", "Without license", "No longer licensed"];
    const before = ["Pre-License", "PRELICENSED", "Pre Licensure", "Pre-Operational", "Pre-Approved"];
    expect(uniformOf([...none, ...before])).toEqual({ ...all(none, "Unlicensed"), ...all(before, "Pre-License") });
  });

  test("says that a license has expired only if this is certain, and the only reason", () => {
    for (const text of expired) expect(readStatus(text), text).toEqual({ uniform: "Inactive", isExpired: true });
    for (const text of [...active, ...notActive.filter((one) => !/renew/i.test(one)), ...ended, ...unknown]) {
      expect(readStatus(text).isExpired, text).toBe(false);
    }
  });
});
