import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import {
  amountsOf,
  dollars,
  iso,
  latestFirst,
  oldestFirst,
  rooms,
  type ShopCustomer,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
} from "./shop.ts";
import { ShopServer } from "./shopServer.ts";

const companyId = 904_118_263;
const locationId = 7001;
const otherLocationId = 7002;
const none = "00000000-0000-0000-0000-000000000000";

/**
 * A fake of the part of Cova that the connector reads (docs/pos/cova.md): two locations, one of them the shop. Products have
 * the form of client code (C), customers and invoices that of Cova's pages (D). Those pages do not show the fields of
 * lines, taxes and payments, nor the types of invoices, so these are assumptions (A).
 */
export class FakeCova extends ShopServer {
  readonly credentials = {
    username: "Example.COVA.APIUser",
    password: "cova password, with blanks",
    clientId: "Example.Integration",
    clientSecret: "cova-secret",
    companyId,
  };
  /** valid tokens, each with its end (milliseconds of the machine's clock) */
  readonly tokens = new Map<string, number>();
  /** lifetime of a token; null if the response does not state it */
  tokenSeconds: number | null = 43_200;
  /** whether customers come in the envelope that a client reads */
  wraps = true;
  /** the settings of the location: whether prices contain the tax, and whether a price is that of a whole line */
  pricesHaveTax = false;
  pricesAreOfLines = false;

  protected answer(request: FakeRequest): FakeAnswer {
    const { method, path, query, headers, body } = request;
    if (method === "POST" && path === "/v1/oauth2/token") return this.#signIn(request);
    const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
    if ((this.tokens.get(token) ?? 0) <= performance.now()) return { status: 401, body: { Message: "Unauthorized" } };
    const [, company, rest = ""] = /Companies(?:\/|\()(\d+)\)?(\/.*)$/.exec(path) ?? [];
    if (company !== String(companyId)) return { status: 403, body: { Message: "Forbidden" } };
    const service = path.split("/")[1];
    const { shop } = this;
    if (service === "entitymanager" && rest === "/Locations") return { body: locations };
    if (service === "dataplatform" && method === "POST") {
      const [, since = "1970-01-01T00:00:00Z"] = /^\/DetailedProductData\/UpdatedAsOf\/(.+)$/.exec(rest) ?? [];
      const { LocationId, IncludeAvailability, Skip, Top } = JSON.parse(body);
      if (LocationId !== locationId) return { body: { Products: [] } };
      const found = this.#products(since);
      const page = found.slice(Skip, Skip + Math.min(500, Top));
      return { body: { Products: page.map((one) => product(one, IncludeAvailability)) } };
    }
    const [skip, top] = [Number(query.get("$skip") ?? 0), Number(query.get("$top") ?? 100)];
    if (service === "crm" && rest === "/CustomerFull") {
      const [, since] = /^LastModifiedDateUtc ge datetime'(.+)'$/.exec(query.get("$filter") ?? "") ?? [];
      if (since === undefined) return { status: 400, body: { Message: "filter" } };
      const changed = shop.views.of("customers", since, () =>
        shop.customers.filter(({ changedAt }) => changedAt >= Date.parse(since)).toSorted(oldestFirst),
      );
      const self = changed.slice(skip, skip + top).map(customer);
      return { body: this.wraps ? { _embedded: { self } } : self };
    }
    if (service === "posreports" && rest === `/Entities(${locationId})/ByInvoiceWithProducts`) {
      const [, from = "", to = ""] =
        /^Date ge datetime'(.+)' and Date le datetime'(.+)'$/.exec(query.get("DateRange") ?? "") ?? [];
      if (!from) return { status: 400, body: { Message: "DateRange" } };
      // Cova lists completed invoices only.
      const found = shop.views.of("invoices", `${from} ${to}`, () =>
        shop.sales
          .filter(({ status }) => status === "sold" || status === "voided")
          .filter(({ at }) => at >= Date.parse(from) && at <= Date.parse(to))
          .toSorted(latestFirst),
      );
      return { body: found.slice(skip, skip + top).map((sale) => this.#invoice(sale)) };
    }
    return { status: 404, body: { Message: "Resource cannot be found" } };
  }

  #signIn({ body }: FakeRequest): FakeAnswer {
    const sent = new URLSearchParams(body);
    const { username, password, clientId, clientSecret } = this.credentials;
    if (sent.get("client_id") !== clientId || sent.get("client_secret") !== clientSecret) {
      return {
        status: 401,
        body: { error: "invalid_client", error_description: `No client ${sent.get("client_id")}` },
      };
    }
    const isUser = sent.get("username") === username && sent.get("password") === password;
    if (!isUser || sent.get("grant_type") !== "password") {
      return { status: 400, body: { error: "invalid_grant", error_description: `No user ${sent.get("username")}` } };
    }
    const text = `cova-token-${this.tokens.size}`;
    this.tokens.set(text, performance.now() + (this.tokenSeconds ?? 43_200) * 1000);
    const lifetime = this.tokenSeconds === null ? {} : { expires_in: String(this.tokenSeconds) };
    return { body: { access_token: text, token_type: "Bearer", refresh_token: "Plantedrefresh", ...lifetime } };
  }

  /** Products by date of change, which stock moves, too. */
  #products(since: string): ProductRow[] {
    const { shop } = this;
    return shop.views.of("products", since, () => {
      const stock = Map.groupBy(shop.packages, ({ product }) => product);
      const gone = Map.groupBy(shop.removed, ({ product }) => product);
      return shop.products
        .map((product) => {
          const packages = stock.get(product) ?? [];
          const dates = [product, ...packages, ...(gone.get(product) ?? [])].map(({ changedAt }) => changedAt);
          return { product, packages, number: product.number, changedAt: Math.max(...dates) };
        })
        .filter(({ changedAt }) => changedAt >= Date.parse(since))
        .toSorted(oldestFirst);
    });
  }

  /** A sale that is not retail is one of the other location, or one of an undocumented type. */
  #invoice(sale: ShopSale) {
    const { number, uuid, customer, status, at, kind, original, payment } = sale;
    const sign = original ? -1 : 1;
    const { tax, total } = amountsOf(sale);
    const change = payment === "cash" && !original && status === "sold" ? 100 : 0;
    const lines = this.#linesOf(sale).map(({ price, listed, quantity, name, productId }) => {
      const count = this.pricesAreOfLines ? quantity : 1;
      return {
        ProductId: productId,
        ProductName: name,
        Sku: `SKU-${number}`,
        Classification: "Flower",
        Quantity: quantity * sign,
        SoldAtPrice: precise(price * count),
        ListPrice: precise(listed * count),
        Employee: "Plantedstaff",
      };
    });
    const types = { sold: original ? ["Return", "RETURN"] : ["Sale", "sale"], voided: ["Void"] };
    return {
      Id: uuid,
      CompanyId: companyId,
      SoldAtEntityId: kind === "wholesale" ? otherLocationId : locationId,
      SoldByEmployeeId: number % 3 === 0 ? 0 : 9,
      SoldByEmployeeName: "Plantedstaff",
      CustomerId: customer?.uuid ?? none,
      CustomerName: customer && `${customer.firstName} ${customer.lastName}`,
      Medical: customer?.medicalId ? "Medical" : "Recreational",
      MedicalRecommendationNumber: customer?.medicalId ?? "",
      DriverLicenseNumber: customer?.license ?? null,
      CustomerDateOfBirth: customer && `${customer.dob}T00:00:00`,
      CustomerMobileNumber: customer?.phone ?? null,
      CreatedDateUtc: precisely(at),
      Type: kind === "transfer" ? "Paid Out" : (types[status === "voided" ? "voided" : "sold"][number % 2] ?? "Void"),
      ChangeDue: dollars(change),
      CashBack: 0,
      Taxes: [{ TaxName: "Sales tax", TaxAmount: dollars(tax * sign) }],
      Payments: [{ PaymentType: payment === "cash" ? "Cash" : "Debit Card", Amount: dollars((total + change) * sign) }],
      PostTaxDiscounts: [],
      Products: lines,
      Notes: `Plantednote${number}`,
    };
  }

  /** The fee of a sale is a line of its own. */
  #linesOf({ lines, fee }: ShopSale) {
    const ofProducts = lines.map(({ product, quantity, price, discount, tax }) => {
      const taxOfUnit = this.pricesHaveTax ? tax / quantity : 0;
      return {
        ...{ quantity, name: product.name, productId: product.uuid as string | null },
        price: price - discount / quantity + taxOfUnit,
        listed: price + taxOfUnit,
      };
    });
    const ofFee = { quantity: 1, name: "Delivery Fee", productId: none, price: fee, listed: 0 };
    return fee > 0 ? [...ofProducts, ofFee] : ofProducts;
  }
}

interface ProductRow {
  product: ShopProduct;
  packages: readonly ShopPackage[];
  number: number;
  changedAt: number;
}

/** Dollars with parts of a cent. */
const precise = (cents: number) => Number((cents / 100).toFixed(6));

/** .NET writes seven digits of a second. */
const precisely = (instant: number) => iso(instant).replace(/(\.\d{3})Z$/, "$10000+00:00");

const locations = [
  {
    Id: locationId,
    Name: "Boulder",
    Address: { AddressLine1: "412 Pearl Street", City: "Boulder", StateName: "Colorado", StateCode: "CO", Zip: 80302 },
    Contacts: [{ Name: "Plantedcontact" }],
  },
  { Id: otherLocationId, Name: null, Address: null, TimeZone: { Id: "Mountain Standard Time" } },
];

function product({ product, packages, changedAt }: ProductRow, hasStock: boolean) {
  const { number, uuid, name, kind, price, cost } = product;
  const own = packages.flatMap((stock) =>
    rooms.map((room) => ({
      LocationId: locationId,
      PackageId: stock.tag,
      InStockQuantity: stock.quantities.get(room.number) ?? 0,
      UnitCost: dollars(cost),
      UpdatedDateUtc: precisely(stock.changedAt),
    })),
  );
  // Some responses have the stock of other locations, too.
  const elsewhere = { LocationId: otherLocationId, RoomId: 1, PackageId: "Plantedpackage", InStockQuantity: 500 };
  const general = { LocationId: locationId, TierId: null, GroupId: null, ShelfId: null };
  return {
    ProductId: uuid,
    Name: name,
    CatalogSku: `SKU-${number}`,
    ClassificationName: kind,
    ClassificationPath: `Cannabis > ${kind}`,
    MeasurementType: "Each",
    ShortDescription: "",
    LongDescription: `Description of ${name}`,
    HeroShotUri: `https://images.example.com/${number}.png`,
    Availability: hasStock ? [...own, ...(number % 4 === 0 ? [elsewhere] : [])] : null,
    Prices: [
      { ...general, LocationId: otherLocationId, Price: 999 },
      { ...general, TierId: 3, Price: 1 },
      ...(number % 2 === 0 ? [{ ...general, Price: dollars(price) }] : []),
    ],
    CompanyLevelRegularPrice: { Price: number % 2 === 0 ? 998 : dollars(price), SalePrices: [] },
    UpdatedDateUtc: precisely(changedAt),
    SupplierSkus: [{ Supplier: "Plantedsupplier" }],
  };
}

function customer(one: ShopCustomer) {
  return {
    Id: one.uuid,
    PrimaryName: one.firstName,
    MiddleName: one.middleName,
    FamilyName: one.lastName,
    AlternateName: "Plantednickname",
    Notes: `Plantednote${one.number}`,
    UniqueIdentifier: "Plantedidentifier",
    CustomerType: "Person",
    DateOfBirth: `${one.dob}T00:00:00`,
    MergedIntoCustomerId: one.mergedInto?.uuid ?? none,
    LastModifiedDateUtc: precisely(one.changedAt),
    Addresses: [
      { StreetAddress1: "Planted old street", Locality: "Denver", Default: false },
      { StreetAddress1: one.street, Locality: "Boulder", StateCode: "CO", PostalCode: "80302", Default: true },
    ],
    ContactMethods: [
      { ContactMethodCategory: "Email", Value: one.email, Default: true },
      { ContactMethodCategory: "Phone", Value: one.phone, Default: false },
    ],
    CustomerExtensions: [{ ExtensionType: "Planted", Value: one.medicalId }],
    Documents: [{ Name: "Planteddocument" }],
  };
}
