import { emptyCustomer, type PosCustomer } from "../posRecords.ts";
import { type Dice, dice } from "./dice.ts";
import { lastNames, mensNames, streets, womensNames } from "./names.ts";
import { placesIn } from "./places.ts";
import { instantOf, perWorld, type RecordVersion, type SandboxKind, type World } from "./world.ts";

const day = 24 * 60 * 60 * 1000;

/** The customers of a retail business, or the contact persons of the companies that buy from a wholesale business. */
export const customers: SandboxKind<"customer"> = {
  population: ({ businessType, newcomers }) => ({ initial: initialCustomers[businessType], arrivals: newcomers }),
  record: (world, standing) => {
    const customer = recordOf(world, standing);
    return { ...customer, ...documentEnds(customer, instantOf(world, standing.tick)) };
  },
};

function recordOf(world: World, standing: RecordVersion): PosCustomer {
  if (world.businessType === "wholesale") return buyer(world, standing);
  return throws(world, standing, "guest").percent(2) ? guest(world, standing) : shopper(world, standing);
}

const initialCustomers = { retail: 2000, wholesale: 300 };

const buyers = perWorld(() => new Map<number, PosCustomer>());

/** The data of a customer at signup. The fields that a sale repeats never change, except the ends of documents. */
export function customerAt(world: World, index: number): PosCustomer {
  const known = buyers(world);
  const customer = known.get(index) ?? customers.record(world, { index, version: 0, tick: 0 });
  known.set(index, customer);
  return customer;
}

/** Number of customers at a tick. */
export function customersAt(world: World, tick: number): number {
  return initialCustomers[world.businessType] + world.newcomers.by(tick);
}

/** Dice for one aspect of a customer, so that a change of one aspect leaves the others unchanged. */
function throws(world: World, { index }: RecordVersion, ...side: (string | number)[]): Dice {
  return dice(world.crbId, "customer", index, ...side);
}

function shopper(world: World, standing: RecordVersion): PosCustomer {
  const chance = throws(world, standing, "shopper");
  const person = name(chance);
  const medical = chance.percent(30);
  const caregiver = medical && chance.percent(8);
  const showsPassport = !medical && chance.percent(6);
  const loyal = chance.percent(65) || standing.version > 4;
  return {
    ...nobody(world, standing),
    ...person,
    ...home(world, standing),
    ...reached(world, standing, person),
    dob: date(world.connectedAt - chance.between(22 * 366, 78 * 366) * day),
    pos_identification_type: medical ? "medical" : showsPassport ? "passport" : "drivers",
    pos_customer_type: caregiver ? "Caregiver" : medical ? "Medical Patient" : "Adult Use",
    svc_customer_type: medical ? "medical" : "rec",
    ...(medical && {
      medical_id: `${world.state}-MMJ-${chance.digits(8)}`,
      medical_id_expiration_date: expiry(world, chance, validDays.medical_id_expiration_date),
    }),
    ...(!showsPassport && {
      drivers_license_id: `${person.last_name.charAt(0).toUpperCase()}${chance.digits(8)}`,
      drivers_license_expiration_date: expiry(world, chance, validDays.drivers_license_expiration_date),
    }),
    ...(showsPassport && {
      other_id: `P${chance.digits(8)}`,
      other_id_expiration_date: expiry(world, chance, validDays.other_id_expiration_date),
    }),
    caregiver,
    loyalty_member: loyal,
    loyalty_points: loyal ? points(chance, standing.version) : null,
  };
}

function buyer(world: World, standing: RecordVersion): PosCustomer {
  const chance = throws(world, standing, "buyer");
  const person = name(chance);
  return {
    ...nobody(world, standing),
    ...person,
    ...home(world, standing),
    ...reached(world, standing, person),
    pos_customer_type: chance.pick(["Dispensary", "Dispensary", "Delivery Service", "Manufacturer", "Distributor"]),
    pos_identification_type: "license",
    other_id: `${world.state}-${chance.digits(3)}-${chance.digits(6)}`,
    other_id_expiration_date: expiry(world, chance, validDays.other_id_expiration_date),
  };
}

/** A customer record with only a number, for a sale to a customer without a name. */
function guest(world: World, standing: RecordVersion): PosCustomer {
  return { ...nobody(world, standing), pos_customer_type: "Guest", svc_customer_type: "rec", anonymous: true };
}

const firstNumber = perWorld(({ crbId }) => dice(crbId, "customer").between(10_000, 90_000));

function nobody(world: World, standing: RecordVersion): PosCustomer {
  return {
    ...emptyCustomer,
    pos_customer_id: String(firstNumber(world) + standing.index),
    anonymous: false,
    pos_updated_date: updated(world, standing),
  };
}

function name(chance: Dice) {
  const woman = chance.percent(50);
  const names = woman ? womensNames : mensNames;
  const gender = woman ? ("Female" as const) : ("Male" as const);
  return {
    first_name: chance.pick(names),
    last_name: chance.pick(lastNames),
    middle_name: chance.percent(30) ? chance.pick(names) : null,
    gender: chance.percent(85) ? gender : chance.percent(20) ? ("Other" as const) : null,
  };
}

/** The customer's address. It differs after every sixth change of the record. */
function home(world: World, standing: RecordVersion) {
  const chance = throws(world, standing, "home", Math.floor(standing.version / 6));
  if (chance.percent(8)) {
    return {};
  }
  const { city, zipCodes } = chance.pick(placesIn(world.state));
  return {
    address_1: `${chance.between(1, 9899)} ${chance.pick(streets.names)} ${chance.pick(streets.kinds)}`,
    address_2: chance.percent(22) ? `${chance.pick(["Apt", "Apt", "Unit", "#"])} ${chance.between(1, 420)}` : null,
    city,
    state: world.state,
    zip_code: chance.pick(zipCodes),
  };
}

/** Telephone numbers, which change with every fourth version, and addresses, all fictitious: 555-01, example.com. */
function reached(world: World, standing: RecordVersion, person: { first_name: string; last_name: string }) {
  const chance = throws(world, standing, "reached", Math.floor((standing.version + 2) / 4));
  const number = () => `(${chance.pick(chance.pick(placesIn(world.state)).areaCodes)}) 555-01${chance.digits(2)}`;
  const mailbox = `${person.first_name}.${person.last_name}${chance.between(1, 999)}`.toLowerCase();
  return {
    phone: chance.percent(70) ? number() : null,
    cell_phone: chance.percent(60) ? number() : null,
    email_address: chance.percent(75) ? `${mailbox}@${chance.pick(["", "mail.", "post."])}example.com` : null,
  };
}

/** The customer's loyalty points as decimal text, as in the specification. Every visit earns points. */
function points(chance: Dice, version: number): string {
  return String((chance.between(0, 60_000) + version * chance.between(250, 4_000)) / 100);
}

/** The number of days for which documents are valid. */
const validDays = {
  medical_id_expiration_date: 400,
  drivers_license_expiration_date: 2500,
  other_id_expiration_date: 3000,
} as const;

/** All documents are valid at the connection. */
function expiry(world: World, chance: Dice, days: number): string {
  return date(world.connectedAt + chance.between(3, days) * day);
}

/** The ends of a customer's documents at an instant: in their last days they are renewed. */
export function documentEnds(customer: PosCustomer, instant: Date): Pick<PosCustomer, keyof typeof validDays> {
  const endOf = (field: keyof typeof validDays) => {
    const end = customer[field];
    if (end === null) return null;
    const days = Math.ceil((instant.getTime() - Date.parse(end)) / day) + 2;
    return date(Date.parse(end) + Math.max(0, Math.ceil(days / validDays[field])) * validDays[field] * day);
  };
  return {
    medical_id_expiration_date: endOf("medical_id_expiration_date"),
    drivers_license_expiration_date: endOf("drivers_license_expiration_date"),
    other_id_expiration_date: endOf("other_id_expiration_date"),
  };
}

/** The signup and the last visit of initial customers are in the two years before the connection. */
function updated(world: World, standing: RecordVersion): string {
  const before = standing.version === 0 && standing.index < initialCustomers[world.businessType];
  const instant = before
    ? world.connectedAt - throws(world, standing, "updated").between(60_000, 730 * day - 1)
    : instantOf(world, standing.tick).getTime();
  return new Date(instant).toISOString();
}

function date(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
