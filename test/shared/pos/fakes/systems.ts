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
type PosServer = FakeServer & {
  shop: Shop;
  partnerKeys?: Partial<Record<PartnerKey, string>>;
  credentials: Connection["credentials"];
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
  /** kinds whose lists have rows of other stores */
  hasForeign?: readonly RecordKind[];
  /** by kind, the fields with a value of unknown meaning in some rows */
  unknown: Partial<Record<RecordKind, readonly string[]>>;
  /** how the next pull finds that a sale is undone: it was canceled, was voided, or was canceled and it is night */
  undoing?: "void" | "cancel at night";
  /** kinds whose list comes in one response and is read row by row */
  streams?: readonly RecordKind[];
  /** the code of the failure if one of the service's own keys is missing; undefined if they are not necessary */
  missingKey?: string;
}

export interface FakeSystem {
  posType: Connection["posType"];
  /** the folder of its connector, if it differs from the system's name */
  folder?: keyof typeof testEndpointVariables;
  Server: new (seed: number | string, size: ShopSize, now?: () => Date) => PosServer;
  /** properties of its connection in addition to credentials */
  more?: Partial<Connection>;
  connector(options: ConnectorOptions, keys: Partial<Record<PartnerKey, string>>): Connector;
  traits: Traits;
}

/** The systems by the folder of their connector; `flourishRetail` is the second POS type of Flourish. */
export type PosName = keyof typeof testEndpointVariables | "flourishRetail";

export const fakeSystems: Readonly<Record<PosName, FakeSystem>> = {
  alleaves: {
    posType: "Alleaves",
    Server: FakeAlleaves,
    more: { locationId: "1000" },
    connector: alleavesConnector,
    traits: {
      hasForeign: ["location", "product", "inventory", "sale"],
      unknown: { inventory: ["status"], sale: ["status"] },
      streams: ["product", "inventory"],
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
    Server: FakeBlaze,
    connector: (options, { POS_BLAZE_PARTNER_KEY: partnerKey = "" }) => blazeConnector({ partnerKey, ...options }),
    traits: {
      hasForeign: ["location", "product", "inventory", "sale"],
      unknown: { sale: ["status", "transType"] },
      missingKey: "no_partner_key",
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
    Server: FakeCanix,
    more: { locationId: "77", businessType: "wholesale" },
    connector: canixConnector,
    traits: {
      hasForeign: ["location", "product", "sale"],
      unknown: { sale: ["status"] },
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
    Server: FakeCova,
    more: { locationId: "7001" },
    connector: covaConnector,
    traits: {
      hasForeign: ["sale"],
      unknown: { sale: ["Type"] },
      undoing: "void",
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
    Server: FakeDutchie,
    connector: dutchieConnector,
    traits: {
      unknown: { sale: ["transactionType"] },
      undoing: "void",
      streams: ["product", "inventory"],
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
    Server: FakeFlourish,
    more: { locationId: "501", businessType: "wholesale" },
    connector: flourishConnector,
    traits: {
      hasForeign: ["sale"],
      unknown: { inventory: ["package_status"], sale: ["order_status"] },
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
    Server: FakeFlourish,
    more: { locationId: "501" },
    connector: flourishConnector,
    traits: {
      hasForeign: ["sale"],
      unknown: { inventory: ["package_status"], sale: ["order_status"] },
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
    Server: FakeFlowhub,
    more: { locationId: "loc-1" },
    connector: flowhubConnector,
    traits: {
      hasForeign: ["location", "product", "customer", "inventory", "sale"],
      unknown: { sale: ["orderStatus"] },
      streams: ["product", "inventory"],
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
    Server: FakeIntacct,
    more: { locationId: "E100", businessType: "wholesale" },
    connector: (options, { POS_INTACCT_SENDER_ID: id = "", POS_INTACCT_SENDER_PASSWORD: password = "" }) =>
      intacctConnector({ ...options, sender: { id, password } }),
    traits: {
      hasForeign: ["location", "product", "customer", "sale"],
      unknown: { sale: ["STATE"] },
      missingKey: "no_sender",
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
    Server: FakeMeadow,
    connector: (options, { POS_MEADOW_CONSUMER_KEY: consumerKey = "" }) => meadowConnector({ consumerKey, ...options }),
    traits: {
      unknown: { inventory: ["status"], sale: ["status"] },
      undoing: "cancel at night",
      streams: ["product"],
      missingKey: "no_consumer_key",
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
    Server: FakePosabit,
    connector: (options, { POS_POSABIT_INTEGRATOR_TOKEN: integratorToken = "" }) =>
      posabitConnector({ integratorToken, ...options }),
    traits: {
      unknown: { sale: ["status"] },
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
    Server: FakeTreez,
    connector: (options, { POS_TREEZ_CLIENT_ID: clientId = "" }) => treezConnector({ clientId, ...options }),
    traits: {
      unknown: { sale: ["order_status"] },
      missingKey: "no_client_id",
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
