/** The groups of docs/spec.md#operations, in its order. Every operation of the operation registry belongs to one. */
export const tags = [
  {
    name: "Authentication",
    description:
      "A service provider gets its `client_id` and `client_secret` from the operator; those of a CRB are issued by `createCrbAccess`. The secret is an API key by itself; exchange both for an access token where a credential with a short life, or with fewer scopes, is wanted.",
  },
  {
    name: "Credentials",
    description:
      "List the credentials that can read your data with their last use, and revoke those that leaked or are no longer needed.",
  },
  {
    name: "Service Provider",
    description:
      "A bank or another company that serves cannabis-related businesses (CRBs): its own record, the CRBs that it has, and what it needs to take on another.",
  },
  { name: "CRB Info", description: "One CRB as its service provider sees it, with its status and its POS connection." },
  {
    name: "Customers",
    description:
      "Whom a CRB sells to. Names, telephone numbers, e-mail addresses and ID numbers are keyed hashes: equal values have equal hashes within a CRB, and different ones in another CRB.",
  },
  {
    name: "Documents",
    description: "Files that were added to meet the requirements of an onboarding template.",
  },
  {
    name: "Inventory",
    description: "What a CRB holds, over all of its locations or at one of them, now or on a past day.",
  },
  { name: "Inventory Locations", description: "Where a CRB keeps inventory, such as a sales floor or a vault." },
  { name: "Products", description: "What a CRB sells. Prices are in cents." },
  {
    name: "Sales",
    description: "What a CRB sold, to consumers (retail) and to other businesses (wholesale). Amounts are in cents.",
  },
  {
    name: "Changes",
    description: "Follow every change of a CRB's records to keep a complete copy; and see how fresh the records are.",
  },
  {
    name: "Events",
    description: "What happens to CRBs, documents, credentials, and records, in one list to follow.",
  },
  {
    name: "Webhooks",
    description: "The same events, delivered to your server soon after they are stored.",
  },
  { name: "CRB", description: "The CRB to which a CRB's own credential belongs." },
  {
    name: "CRB Templates",
    description:
      "A CRB's answers to the onboarding template of its service provider: the documents it was asked for, and their review.",
  },
  {
    name: "In-app Onboarding",
    description:
      "What an invited user does: reads the terms, gives and withdraws consent, connects the POS, adds documents, and submits. The credential is the invitation token in the link that was mailed, behind `#`; it names the CRB. For those who build an app of their own in place of the page that the link leads to.",
  },
] as const;
