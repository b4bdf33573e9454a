import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { Connection, Connector } from "../../../../shared/pos/connector.ts";
import { alleavesConnector } from "../../../../shared/pos/connectors/alleaves/alleavesConnector.ts";
import { blazeConnector } from "../../../../shared/pos/connectors/blaze/blazeConnector.ts";
import { canixConnector } from "../../../../shared/pos/connectors/canix/canixConnector.ts";
import { covaConnector } from "../../../../shared/pos/connectors/cova/covaConnector.ts";
import { dutchieConnector } from "../../../../shared/pos/connectors/dutchie/dutchieConnector.ts";
import { flourishConnector } from "../../../../shared/pos/connectors/flourish/flourishConnector.ts";
import { flowhubConnector } from "../../../../shared/pos/connectors/flowhub/flowhubConnector.ts";
import { intacctConnector } from "../../../../shared/pos/connectors/intacct/intacctConnector.ts";
import { meadowConnector } from "../../../../shared/pos/connectors/meadow/meadowConnector.ts";
import { posabitConnector } from "../../../../shared/pos/connectors/posabit/posabitConnector.ts";
import { treezConnector } from "../../../../shared/pos/connectors/treez/treezConnector.ts";
import type { ConnectorOptions } from "../../../../shared/pos/framework/connectorOptions.ts";
import type { PartnerKey } from "../../../../shared/pos/partnerKeys.ts";
import { testEndpointVariables } from "../../../../shared/pos/testEndpoints.ts";
import { FakeAlleaves } from "./fakeAlleaves.ts";
import { FakeBlaze } from "./fakeBlaze.ts";
import { FakeCanix } from "./fakeCanix.ts";
import { FakeCova } from "./fakeCova.ts";
import { FakeDutchie } from "./fakeDutchie.ts";
import { FakeFlourish } from "./fakeFlourish.ts";
import { FakeFlowhub } from "./fakeFlowhub.ts";
import { FakeIntacct } from "./fakeIntacct.ts";
import { FakeMeadow } from "./fakeMeadow.ts";
import { FakePosabit } from "./fakePosabit.ts";
import type { FakeServer } from "./fakeServer.ts";
import { FakeTreez } from "./fakeTreez.ts";
import type { Shop, ShopSize } from "./shop.ts";

/** A fake with a shop, and the service's own keys for it. */
export type PosServer = FakeServer & {
  shop: Shop;
  partnerKeys?: Partial<Record<PartnerKey, string>>;
  credentials?: Connection["credentials"];
};

/** The traits in which a POS differs from others, for tests that run for every POS. */
interface Traits {
  /** the requests that verify the credentials, by path and query or by path and body */
  verifying: RegExp;
  /** the items for which there are inventory records; packages by default */
  inventoryOf?: "product" | "package" | "both";
  /** whether only customers who have bought something are read */
  hasOnlyBuyers?: boolean;
  /** kinds that later pulls read completely too, in addition to locations */
  readsWhole: readonly RecordKind[];
  /** whether an empty list of stock proves nothing, because only its rows can prove their store */
  neverProvesEmptyStock?: boolean;
  /** whether returns have no records of their own */
  hasNoReturns?: boolean;
  /** whether all sales, or only returns, have nothing but their total */
  tellsTotalsOnly?: "sales" | "returns";
  /** whether credentials may have any letters, because they are not sent in a header */
  takesAnyLetters?: boolean;
  /** whether later pulls of sales read whole days again */
  readsDaysAgain?: boolean;
  /** by kind, a field by which its rows are recognized, and a field that is invalid if it is an object */
  breaking: Partial<Record<RecordKind, readonly [string, string]>>;
  /** kinds whose rows have several records, so that rejections have an id of their own */
  nests?: readonly RecordKind[];
}

export interface FakeSystem {
  posType: Connection["posType"];
  /** the folder of its connector, if it differs from the system's name */
  folder?: keyof typeof testEndpointVariables;
  make(seed: number | string, size: ShopSize, now: () => Date): PosServer;
  credentialsOf(server: PosServer): Connection["credentials"];
  /** properties of its connection in addition to credentials */
  more?: Partial<Connection>;
  connector(options: ConnectorOptions, keys: Partial<Record<PartnerKey, string>>): Connector;
  traits: Traits;
}

const own = ({ credentials = {} }: PosServer) => credentials;

/** The systems by the folder of their connector; `flourishRetail` is the second POS type of Flourish. */
export type PosName = keyof typeof testEndpointVariables | "flourishRetail";

export const fakeSystems: Readonly<Record<PosName, FakeSystem>> = {
  alleaves: {
    posType: "Alleaves",
    make: (seed, size, now) => new FakeAlleaves(seed, size, now),
    credentialsOf: own,
    more: { locationId: "1000" },
    connector: (options) => alleavesConnector(options),
    traits: {
      verifying: /auth$|location$/,
      neverProvesEmptyStock: true,
      hasNoReturns: true,
      tellsTotalsOnly: "sales",
      takesAnyLetters: true,
      readsWhole: ["product", "customer", "inventory"],
      readsDaysAgain: true,
      breaking: {
        product: ["id_batch", "brand"],
        customer: ["name_first", "phone"],
        inventory: ["id_batch", "sku"],
        sale: ["date_created", "items"],
      },
    },
  },
  blaze: {
    posType: "Blaze",
    make: (seed, size, now) => new FakeBlaze(seed, size, now),
    credentialsOf: own,
    connector: (options, { POS_BLAZE_PARTNER_KEY: partnerKey = "" }) => blazeConnector({ ...options, partnerKey }),
    traits: {
      verifying: /store$/,
      inventoryOf: "product",
      readsWhole: ["product", "inventory"],
      readsDaysAgain: true,
      breaking: {
        product: ["quantities", "sku"],
        customer: ["firstName", "primaryPhone"],
        inventory: ["quantities", "sku"],
        sale: ["transType", "sellerId"],
      },
    },
  },
  canix: {
    posType: "Canix",
    make: (seed, size, now) => new FakeCanix(seed, size, now),
    credentialsOf: own,
    more: { locationId: "77", businessType: "wholesale" },
    connector: (options) => canixConnector(options),
    traits: {
      verifying: /facilities/,
      hasNoReturns: true,
      neverProvesEmptyStock: true,
      // Canix reports changes by day, not more precisely.
      readsWhole: ["inventory"],
      breaking: {
        product: ["sub_type", "sku"],
        customer: ["company_name", "phone"],
        inventory: ["tag", "weight"],
        sale: ["contents", "payments"],
      },
    },
  },
  cova: {
    posType: "Cova",
    make: (seed, size, now) => new FakeCova(seed, size, now),
    credentialsOf: own,
    more: { locationId: "7001" },
    connector: (options) => covaConnector(options),
    traits: {
      verifying: /oauth2|Locations$/,
      inventoryOf: "product",
      neverProvesEmptyStock: true,
      takesAnyLetters: true,
      readsWhole: [],
      readsDaysAgain: true,
      breaking: {
        product: ["Availability", "CatalogSku"],
        customer: ["FamilyName", "CustomerType"],
        inventory: ["Availability", "CatalogSku"],
        sale: ["SoldAtEntityId", "Payments"],
      },
    },
  },
  dutchie: {
    posType: "Dutchie",
    make: (seed, size, now) => new FakeDutchie(seed, size, now),
    credentialsOf: () => ({ recApiKey: "rec-key" }),
    connector: (options) => dutchieConnector(options),
    traits: {
      verifying: /whoami/,
      readsWhole: ["inventory"],
      breaking: {
        product: ["productName", "sku"],
        customer: ["firstName", "phone"],
        inventory: ["roomQuantities", "sku"],
        sale: ["transactionId", "manualPayments"],
      },
    },
  },
  flourish: {
    posType: "Flourish Wholesale",
    make: (seed, size, now) => new FakeFlourish(seed, size, now),
    credentialsOf: own,
    more: { locationId: "501", businessType: "wholesale" },
    connector: (options) => flourishConnector(options),
    traits: {
      verifying: /facilities/,
      hasNoReturns: true,
      readsWhole: ["customer", "inventory"],
      breaking: {
        product: ["item_category", "sku"],
        customer: ["company_email", "name"],
        inventory: ["inventory_id", "sku"],
        sale: ["order_lines", "total_price"],
      },
    },
  },
  flourishRetail: {
    posType: "Flourish",
    folder: "flourish",
    make: (seed, size, now) => new FakeFlourish(seed, size, now),
    credentialsOf: own,
    more: { locationId: "501" },
    connector: (options) => flourishConnector(options),
    traits: {
      verifying: /facilities/,
      hasNoReturns: true,
      readsWhole: ["inventory"],
      readsDaysAgain: true,
      breaking: {
        product: ["item_category", "sku"],
        customer: ["merged_customer_id", "phone"],
        inventory: ["inventory_id", "sku"],
        sale: ["transactions", "total_price"],
      },
    },
  },
  flowhub: {
    posType: "Flowhub",
    make: (seed, size, now) => new FakeFlowhub(seed, size, now),
    credentialsOf: own,
    more: { locationId: "loc-1" },
    connector: (options) => flowhubConnector(options),
    traits: {
      verifying: /clientsLocations/,
      hasOnlyBuyers: true,
      readsWhole: ["product", "inventory"],
      readsDaysAgain: true,
      breaking: {
        product: ["productName", "sku"],
        customer: ["birthDate", "phone"],
        inventory: ["quantity", "sku"],
        sale: ["itemsInCart", "payments"],
      },
    },
  },
  intacct: {
    posType: "Sage Intacct",
    make: (seed, size, now) => new FakeIntacct(seed, size, now),
    credentialsOf: own,
    more: { locationId: "E100", businessType: "wholesale" },
    connector: (options, { POS_INTACCT_SENDER_ID: id = "", POS_INTACCT_SENDER_PASSWORD: password = "" }) =>
      intacctConnector({ ...options, sender: { id, password } }),
    traits: {
      takesAnyLetters: true,
      verifying: /<getAPISession>|<object>LOCATIONENTITY</,
      tellsTotalsOnly: "returns",
      readsWhole: ["inventory"],
      breaking: {
        product: ["BASEPRICE", "UPC"],
        customer: ["DISPLAYCONTACT.EMAIL1", "NAME"],
        sale: ["TOTALENTERED", "DESCRIPTION"],
      },
    },
  },
  meadow: {
    posType: "Meadow",
    make: (seed, size, now) => new FakeMeadow(seed, size, now),
    credentialsOf: own,
    connector: (options, { POS_MEADOW_CONSUMER_KEY: consumerKey = "" }) => meadowConnector({ ...options, consumerKey }),
    traits: {
      verifying: /organization/,
      readsWhole: ["product"],
      breaking: {
        product: ["options", "description"],
        customer: ["firstName", "phone"],
        inventory: ["label", "status"],
        sale: ["netPrice", "payments"],
      },
      nests: ["product"],
    },
  },
  posabit: {
    posType: "POSaBIT",
    make: (seed, size, now) => new FakePosabit(seed, size, now),
    credentialsOf: own,
    connector: (options, { POS_POSABIT_INTEGRATOR_TOKEN: integratorToken = "" }) =>
      posabitConnector({ ...options, integratorToken }),
    traits: {
      verifying: /info$|customers\?page=1&per_page=1&/,
      inventoryOf: "both",
      neverProvesEmptyStock: true,
      readsWhole: ["product", "inventory"],
      breaking: {
        product: ["quantity_on_hand", "sku"],
        customer: ["first_name", "telephone"],
        inventory: ["quantity_on_hand", "sku"],
        sale: ["sale_type", "user_id"],
      },
    },
  },
  treez: {
    posType: "Treez",
    make: (seed, size, now) => new FakeTreez(seed, size, now),
    credentialsOf: own,
    connector: (options, { POS_TREEZ_CLIENT_ID: clientId = "" }) => treezConnector({ ...options, clientId }),
    traits: {
      verifying: /gettokens/,
      inventoryOf: "product",
      readsWhole: ["inventory"],
      breaking: {
        product: ["product_configurable_fields", "category_type"],
        customer: ["first_name", "phone"],
        inventory: ["sellable_quantity", "category_type"],
        sale: ["ticket_id", "payments"],
      },
    },
  },
};

export const posNames = Object.keys(fakeSystems) as PosName[];

/** The environment variable with the address of a system's test endpoint. */
export const endpointVariableOf = (name: PosName) =>
  testEndpointVariables[fakeSystems[name].folder ?? (name as keyof typeof testEndpointVariables)];
