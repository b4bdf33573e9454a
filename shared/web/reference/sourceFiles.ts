const own = (name: string) => `shared/web/reference/${name}`;

/** The reference page's files, by paths in this project. */
export const sources = {
  description: "docs/openapi.json",
  /** In reading order. */
  // biome-ignore format: a value on each line fills a screen
  guides: [
    "docs/guide/first-call.md", "docs/guide/clients.md", "docs/guide/authentication.md", "docs/guide/program-keys.md",
    "docs/guide/persons.md", "docs/guide/identity-providers.md", "docs/guide/agents.md", "docs/guide/reading-lists.md",
    "docs/guide/keep-a-copy.md", "docs/guide/load-a-warehouse.md", "docs/guide/fresh-data.md", "docs/guide/events.md",
    "docs/guide/webhooks.md", "docs/guide/notebook.md", "docs/guide/money-and-sales.md",
    "docs/guide/sales-to-deposits.md", "docs/guide/errors.md", "docs/guide/compatibility.md", "docs/guide/sandbox.md",
    "docs/guide/what-can-go-wrong.md", "docs/guide/onboarding.md", "docs/guide/documents.md",
    "docs/guide/invited-users.md", "docs/guide/licenses.md", "docs/guide/compliance.md",
  ],
  /** The pictures of the guides. */
  pictures: ["docs/guide/sales-to-deposits.svg"],
  /** infra/codegen/postmanCollection.ts generates it; it is not in version control. */
  postman: own("postman.json"),
  page: own("page.html"),
  /** Contains Scalar's script. */
  scalar: "node_modules/@scalar/fastify-api-reference/dist/index.js",
  assets: [
    own("beforeScalar.js"),
    own("startHere.js"),
    own("page.js"),
    own("page.css"),
    own("startHere.css"),
    "shared/web/pages/icon.svg",
  ],
} as const;

/** All files of the page, which the bundle of its function includes. */
export const sourceFiles: readonly string[] = [
  sources.description,
  ...sources.guides,
  ...sources.pictures,
  sources.postman,
  sources.page,
  sources.scalar,
  ...sources.assets,
];
