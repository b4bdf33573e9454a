import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A PostgreSQL server of this process, with its data in a new folder. */
export interface PostgresServer {
  /** The version, such as "15.18". */
  version: string;
  /** Options of a client or pool. The server listens on a Unix socket only. */
  connection: pg.PoolConfig;
  /** Ends the server. Its folder stays, and the caller deletes it. */
  stop(): Promise<void>;
}

const user = "bench";
const minVersion = 15;

/** Returns the newest folder with PostgreSQL's programs, version 15 or newer; undefined if there is none. */
export function findPostgres(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const packaged = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...packaged.map((version) => join(debian, version, "bin")), ...pathFolders()];
  return folders.find(
    (folder) =>
      ["initdb", "postgres"].every((name) => existsSync(join(folder, name))) &&
      majorOf(versionOf(folder)) >= minVersion,
  );
}

/**
 * Starts a server with an empty database. The settings are those that PostgreSQL's documentation recommends for a
 * dedicated machine with solid-state storage and large loads. Commits are durable, as by default.
 *
 * @param programs the folder with PostgreSQL's programs
 * @param folder an existing folder for data and socket
 * @throws Error with the end of the server's log, if the server does not answer within 30 seconds
 */
export async function startPostgres(programs: string, folder: string): Promise<PostgresServer> {
  // PostgreSQL does not run as root.
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const home = join(folder, "postgres");
  mkdirSync(home, { mode: 0o755 });
  if (owner) {
    chownSync(home, owner.uid, owner.gid);
    // The owner must be able to enter the folder that root made.
    chownSync(folder, owner.uid, owner.gid);
  }
  const as = { ...owner, cwd: home, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  const data = join(home, "data");
  execFileSync(
    join(programs, "initdb"),
    ["-D", data, "-U", user, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-instructions"],
    { ...as, stdio: ["ignore", "ignore", "pipe"] },
  );
  const settings = { ...tunedSettings(), listen_addresses: "", unix_socket_directories: home };
  const child = spawn(
    join(programs, "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...as, stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  child.stderr.on("data", (chunk) => {
    log = (log + chunk).slice(-2_000);
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // The benchmark may end early, for example on a signal.
  const endNow = () => child.kill("SIGINT");
  process.once("exit", endNow);
  const connection = { host: home, user, database: "postgres" };
  const stop = async () => {
    // A fast shutdown: PostgreSQL ends open connections itself.
    if (child.exitCode === null) endNow();
    await exited;
    process.removeListener("exit", endNow);
  };
  const until = Date.now() + 30_000;
  while (!(await answers(connection))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`PostgreSQL did not start: ${log}`);
    }
    await sleep(100);
  }
  return { version: versionOf(programs), connection, stop };
}

/** Memory settings by the recommendations of PostgreSQL's documentation, and settings for solid-state storage. */
function tunedSettings(): Record<string, string | number> {
  const megabytes = Math.floor(totalmem() / 1024 ** 2);
  return {
    shared_buffers: `${Math.floor(megabytes / 4)}MB`,
    effective_cache_size: `${Math.floor(megabytes / 2)}MB`,
    work_mem: "64MB",
    maintenance_work_mem: "1GB",
    max_wal_size: "8GB",
    random_page_cost: 1.1,
    timezone: "UTC",
    effective_io_concurrency: 200,
  };
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The account of Debian's package, or else the account that owns nothing. */
function unprivilegedUser(): { uid: number; gid: number } {
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL does not run as root, and this machine has neither the user `postgres` nor `nobody`.");
}

const pathFolders = () => (process.env.PATH ?? "").split(delimiter);

const versionOf = (folder: string): string =>
  /\d+(\.\d+)?/.exec(execFileSync(join(folder, "postgres"), ["--version"], { encoding: "utf8" }))?.[0] ?? "0";

const majorOf = (version: string): number => Number.parseInt(version, 10);
