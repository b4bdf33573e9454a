/**
 * The groups of docs/spec.md#operations, in the order of that section. Every operation of the operation registry
 * belongs to one.
 */
export const tags = [
  {
    name: "Authentication",
    description:
      "A service provider gets its `client_id` and `client_secret` from the operator; `createCrbAccess` issues those of a CRB. The secret alone is an API key. For a credential that expires soon or has fewer scopes, exchange both for an access token.",
  },
  {
    name: "Credentials",
    description:
      "List the credentials that can read your data, see when each was last used, and revoke those that leaked or are no longer needed.",
  },
  {
    name: "Persons",
    description:
      "Let your staff sign in with your own OpenID Connect provider, with roles by its claims. Each person's work carries the name of that person.",
  },
  {
    name: "Service Provider",
    description:
      "A bank or another company that serves cannabis-related businesses (CRBs): its own record, its CRBs, and the operations that it needs to create another CRB.",
  },
  {
    name: "Licenses",
    description:
      "The licenses of a CRB in the registers of the states: link them, and learn when one expires, lapses or disappears from its register.",
  },
  { name: "CRB Info", description: "One CRB as its service provider sees it, with its status and its POS connection." },
  {
    name: "Customers",
    description:
      "The customers of a CRB. Names, telephone numbers, e-mail addresses and ID numbers are keyed hashes: within a CRB, equal values have equal hashes; in another CRB, the same value has a different hash.",
  },
  { name: "Documents", description: "The files that were added to meet the requirements of an onboarding template." },
  {
    name: "Inventory",
    description: "The stock of a CRB, over all of its locations or at one of them, now or at the end of a past day.",
  },
  { name: "Inventory Locations", description: "Where a CRB keeps inventory, such as a sales floor or a vault." },
  { name: "Products", description: "The products that a CRB sells. Prices are in cents." },
  {
    name: "Sales",
    description:
      "The sales of a CRB to consumers (retail) and to other businesses (wholesale), and their totals by business day. Amounts are in cents.",
  },
  {
    name: "Deposits",
    description:
      "Send the postings of a CRB's account, and see whether the cash that was sold arrives. Amounts are in cents.",
  },
  {
    name: "State Systems",
    description:
      "Compare a CRB's sales with the totals that the state's own system has for its licenses. Experimental: no real key has been used yet.",
  },
  {
    name: "Insights",
    description:
      "Unusual facts about a CRB, computed after each complete sales day, as a queue to work through: read why, decide, and leave a trace.",
  },
  {
    name: "Overview",
    description: "All CRBs of a service provider at a glance: what needs a decision or attention, the gravest first.",
  },
  { name: "Access reports", description: "Who read what, from the access log that cannot be changed." },
  {
    name: "Statements",
    description:
      "The stored facts about a CRB's days, for an examiner or a file: as a page to print, as CSV and as JSON, with a digest that proves it.",
  },
  {
    name: "Changes",
    description: "Follow every change of a CRB's records to keep a complete copy, and see how fresh the records are.",
  },
  {
    name: "Exports",
    description:
      "All records of a CRB in files, for a warehouse: load the files once, then follow the changes from their cursors.",
  },
  {
    name: "Events",
    description:
      "One list of the things that happen to CRBs, documents, credentials and records, for clients to follow.",
  },
  { name: "Webhooks", description: "The same events, delivered to your server soon after they are stored." },
  { name: "CRB", description: "The CRB to which a CRB's own credential belongs." },
  {
    name: "CRB Templates",
    description:
      "A CRB's answers to the onboarding template of its service provider: the required documents and their review.",
  },
  {
    name: "In-app Onboarding",
    description:
      "The steps of an invited user: read the terms, give and withdraw consent, connect the POS, add documents, and submit. The credential is the invitation token, the part behind `#` in the mailed link; it names the CRB. The link leads to a page that calls these operations. Use them to build your own app in its place.",
  },
  {
    name: "Sandbox",
    description:
      "Make the simulated POS of a CRB sell, fail or send records that cannot be read. Only in the sandbox and the local stage.",
  },
] as const;
