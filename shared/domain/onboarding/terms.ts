import { createHash } from "node:crypto";
import { nameOfKind, recordKinds } from "../../api/kinds.ts";
import { type Intervals, replicationIntervals } from "../replication/replicationIntervals.ts";
import { fieldWords } from "./termsFields.ts";

/** The terms to which the users of a business consent (docs/spec.md#consent). */
export interface Terms {
  /** Changes with every change of the text: a consent holds only for the text to which it was given. */
  version: string;
  sections: { title: string; text: string }[];
}

/** The parts of the terms that depend on the stage. */
interface StageTerms {
  intervals: Intervals;
  /** Days from the end of an association until its records are due to be purged. */
  retentionDays: number;
}

/** The terms of the stage, from RETENTION_DAYS and REPLICATE_EVERY_SECONDS. */
export function terms(
  stage: StageTerms = { intervals: replicationIntervals(), retentionDays: Number(process.env.RETENTION_DAYS) },
): Terms {
  const sections = sectionsOf(stage);
  const digest = createHash("sha256").update(JSON.stringify(sections)).digest("hex");
  return { version: digest.slice(0, 16), sections };
}

/** Explains in plain words which records are read, for whom, how often, how long they are kept, and how to withdraw. */
const sectionsOf = ({ intervals, retentionDays }: StageTerms): Terms["sections"] => [
  {
    title: "What you consent to",
    text: "With the credentials that you enter, this service reads the records of your business from its point-of-sale system and keeps a copy of them. It only reads: it changes nothing there.",
  },
  {
    title: "For whom",
    text: "The copy is for the service provider that invited you, named above. It can read all of it, and can give your own business access to the same records. It may do more with them than this service knows: ask it for its own terms.",
  },
  {
    title: "What is read of your customers",
    text: `These are replaced by codes (keyed hashes) before anything is stored, so that the service provider can recognize a value that it knows already, and read none: ${fieldWords("customer", "hashed")}. These are stored as your system has them: ${fieldWords("customer", "plain")}.`,
  },
  {
    title: "What is read of your sales",
    text: `As your system has them: ${fieldWords("sale", "plain")}. Of each item sold: ${fieldWords("itemSold", "plain")}. Of the customer in a sale: ${fieldWords("buyer", "plain")}.`,
  },
  {
    title: "What is read of your stock",
    text: `As your system has them, of products: ${fieldWords("product", "plain")}; of inventory: ${fieldWords("inventory", "plain")}; of locations: ${fieldWords("location", "plain")}.`,
  },
  {
    title: "How often",
    text: `First everything that your system has; then what is new or has changed: ${recordKinds.map((kind) => `${wordsOfKind(nameOfKind(kind))} every ${duration(intervals[kind])}`).join(", ")}.`,
  },
  {
    title: "Your credentials",
    text: "The credentials of your point-of-sale system are stored encrypted, and used for nothing but reading it. Nobody is ever shown them, the service provider included.",
  },
  {
    title: "How long it is kept",
    text: `As long as your business is with the service provider, and ${retentionDays} days after that. Records that vanish from your system stay in the copy. Who the law lets be forgotten among your customers can be erased: write to the service provider.`,
  },
  {
    title: "How to withdraw",
    text: "You, or anybody else who was invited for your business, can withdraw consent on this page at any time, without a reason. The credentials are then erased at once and nothing more is read. What was copied before stays readable for the service provider as long as said above. All who were invited are told by mail. If your link has expired, ask for a new one there.",
  },
];

const wordsOfKind = (name: string): string => name.replaceAll("-", " ");

/** A number of seconds in the largest unit that divides it. */
function duration(seconds: number): string {
  const units = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ] as const;
  const [length, unit] = units.find(([each]) => seconds % each === 0) ?? [1, "second"];
  const count = seconds / length;
  return count === 1 ? unit : `${count} ${unit}s`;
}
