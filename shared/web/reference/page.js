// Runs in the browser, after Scalar's script. These settings restrict the page to its own origin. Credentials end with
// the tab (beforeScalar.js).
const place = document.getElementById("reference");
const stage = new URL(".", location.href).href.replace(/\/$/, "");
/** The demo's credentials and ids; undefined without a demo. */
const demo = place.dataset.demo ? JSON.parse(place.dataset.demo) : undefined;

/** The guides contain an example URL, which is replaced by the URL of this stage. */
const text = await (await fetch(place.dataset.document)).text();
const content = JSON.parse(text.replaceAll("https://api.example.com", stage));
// If these calls fail, operations keep the examples of the description.
const values = demo ? await existingValues(demo).catch(() => ({})) : {};
const operations = Object.values(content.paths).flatMap((path) => Object.values(path));
const parameters = [
  // The ids in paths, by their names (formParameters.ts).
  ...Object.entries(content.components.parameters),
  ...operations.flatMap(({ parameters: own = [] }) => own.map((parameter) => [parameter.name, parameter])),
];
for (const [name, parameter] of parameters) {
  if (parameter.example === undefined || !(name in values)) continue;
  // A parameter without an example has an empty field. Scalar requests a value before it sends a path without one.
  if (values[name] === undefined) delete parameter.example;
  else parameter.example = values[name];
}

// The service accepts only recent times here. The time of the description would be too old some day.
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
for (const { post } of Object.values(content.paths)) {
  for (const { value } of Object.values(post?.requestBody?.content["application/json"]?.examples ?? {})) {
    if (value?.from) value.from = hourAgo;
  }
}

/** Existing ids and names of the demo, by parameter; undefined if there are none yet. */
async function existingValues({ sp_id, crbs: [{ crb_id }], client_secret, invitation }) {
  const readAs = async (secret, path) => {
    const answer = await fetch(stage + path, { headers: { Authorization: secret } });
    return answer.ok ? answer.json() : {};
  };
  const read = (path) => readAs(client_secret, `/service-providers/${sp_id}${path}`);
  const first = async (path) => (await read(path)).data?.[0] ?? {};
  const crb = `/crbs/${crb_id}`;
  const kinds = ["customers", "products", "inventory", "inventory-locations", "sales", "deposits", "licenses"];
  const [
    customer,
    product,
    inventory,
    location,
    sale,
    deposit,
    license,
    exported,
    statement,
    connection,
    endpoint,
    report,
    insight,
    credential,
    template,
    invited,
  ] = await Promise.all([
    ...kinds.map((kind) => first(`${crb}/${kind}?limit=1`)),
    ...[`${crb}/exports`, `${crb}/statements`, `${crb}/state-connections`].map(first),
    ...["/webhook-endpoints", "/access-reports", "/insights"].map(first),
    // The newest credential is not the credential that the page uses.
    first("/credentials?limit=1"),
    read(`${crb}/onboarding-template`),
    readAs(invitation.invitation_token, "/onboarding"),
  ]);
  const idsIn = (requirements = []) => {
    const requirement = requirements.find(({ documents = [] }) => documents.length > 0) ?? requirements[0];
    return { requirement_id: requirement?.requirement_id, document_id: requirement?.documents?.[0]?.id };
  };
  const { requirement_id, document_id } = idsIn(template.standard_requirements);
  const theirs = idsIn(invited.requirements);
  return {
    ...{ sp_id, crb_id, requirement_id, document_id, doc_id: document_id },
    ...{ invited_requirement_id: theirs.requirement_id, invited_document_id: theirs.document_id },
    // Licenses that the service provider linked cannot be removed by the user.
    invited_license_id: invited.licenses?.find((one) => one.linked_by_kind === "invited_user")?.id,
    // An upload exists only between its two requests.
    ...{ upload_id: undefined, invited_upload_id: undefined },
    ...{ customer_id: customer.id, product_id: product.id, inventory_id: inventory.id },
    ...{ sale_id: sale.id, deposit_id: deposit.id },
    // A location may have no inventory, such as one for quarantine.
    location_id: inventory.location_data?.[0]?.location_id ?? location.id,
    ...{ license_id: license.id, export_id: exported.id, endpoint_id: endpoint.id, client_id: credential.client_id },
    ...{ statement_id: statement.id, report_id: report.id, insight_id: insight.id },
    license_number: connection.license_number ?? license.license_identifier,
    // The terms of the two searches.
    ...{ pos_customer_id: customer.pos_customer_id, name: license.licensee },
  };
}

const start = Object.assign(document.createElement("start-here"), {
  values: {
    BASE_URL: stage,
    CLIENT_SECRET: demo?.client_secret ?? "YOUR_CLIENT_SECRET",
    SP_ID: demo?.sp_id ?? "YOUR_SP_ID",
    CRB_ID: demo?.crbs[0].crb_id ?? "YOUR_CRB_ID",
  },
  credentials: demo
    ? [
        { name: "the service provider", secret: demo.client_secret },
        ...demo.crbs.slice(0, 1).map(({ name, client_secret }) => ({ name, secret: client_secret })),
        { name: "the invited user", secret: demo.invitation.invitation_token },
      ]
    : [],
});

/** Finds Scalar's event bus in a component or one of its ancestors. */
function eventBusAbove(part) {
  for (let above = part; above; above = above.parent) if (above.exposed?.eventBus) return above.exposed.eventBus;
}

/** A Vue component that inserts a plain element. */
const startView = {
  render: () => null,
  mounted() {
    start.addEventListener("credential", ({ detail }) => {
      const payload = { type: "apiKey", "x-scalar-secret-token": detail };
      eventBusAbove(this.$).emit("auth:update:security-scheme-secrets", { payload, name: "access_auth" });
    });
    this.$el.before(start);
  },
};

place.replaceChildren();
Scalar.createApiReference("#reference", {
  content,
  servers: [{ url: stage }],
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "none",
  modelsSectionLabel: "Records",
  // The tabs of PHP and Ruby would hide the tabs of Node.js and Python, which the guides use.
  hiddenClients: { php: true, ruby: true },
  generateOperationSlug: ({ operationId }) => operationId,
  plugins: [
    () => ({
      name: "start-here",
      extensions: [],
      views: { "content.start": [{ component: startView, sidebar: { show: true, label: "Start here" } }] },
    }),
  ],
});
