import { createHash } from "node:crypto";
import { accessFiles } from "../../../../shared/domain/accessLog/accessFiles.ts";
import { collectStatement } from "../../../../shared/domain/statements/collectStatement.ts";
import { renderStatement } from "../../../../shared/domain/statements/renderStatement.ts";
import { serviceTable } from "../../../../shared/store/client.ts";
import { readCrb } from "../../../../shared/store/crbs.ts";

// Makes the files of a statement in a process of its own, and prints the machine's settings and a digest of all files.

const [crbId = "", asOf = "", start_date = "", end_date = "", directory = ""] = process.argv.slice(2);
const table = serviceTable();
const crb = await readCrb(table, crbId, { consistent: true });
if (!crb) throw new Error(`The CRB ${crbId} is not stored.`);
const intervals = { location: 60, product: 60, customer: 60, inventory: 60, sale: 60 };
const options = { deadline: new Date(Date.now() + 600_000), intervals };
const stores = { table, accessLog: accessFiles(directory) };
const content = await collectStatement(stores, { crb, start_date, end_date, asOf }, options);
const files = (["csv", "html"] as const).flatMap((format) => renderStatement(content, { id: crbId, format }));
const digest = createHash("sha256");
for (const { name, bytes } of files) digest.update(name).update(bytes);
const { locale } = new Intl.DateTimeFormat().resolvedOptions();
const [hour, number] = [new Date(0).getHours(), (1234.5).toLocaleString()];
process.stdout.write(JSON.stringify({ hour, locale, number, files: files.length, digest: digest.digest("hex") }));
table.client.destroy();
