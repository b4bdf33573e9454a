import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Access, grantsOf, grantsUsed, permits, type Statement } from "./iamPolicy.ts";

/** A caller of AWS: a role with its permissions and an access key. */
export interface Principal {
  /** The logical id of its role. */
  role: string;
  /** The role's policy and, for a session with its own policy, that one. A call needs the permission of each. */
  policies: readonly (readonly Statement[])[];
  accessKeyId: string;
  secretAccessKey: string;
}

/** A denial for lack of a permission, with the requested access. */
export class AccessDenied extends Error {
  override readonly name = "AccessDenied";
}

/** All principals, and the results of their calls. */
export class Principals {
  readonly #byKey = new Map<string, Principal>();
  readonly #used = new Map<string, Set<string>>();
  /** Every denial so far, for people. */
  readonly rejections: string[] = [];

  admit(role: string, ...policies: Principal["policies"]): Principal {
    const accessKeyId = `AKIA${randomBytes(8).toString("hex").toUpperCase()}`;
    const principal = { role, policies, accessKeyId, secretAccessKey: randomBytes(20).toString("hex") };
    this.#byKey.set(accessKeyId, principal);
    return principal;
  }

  /**
   * The principal that signed a request, in its header or its link.
   *
   * @throws AccessDenied when no principal has that key
   */
  signerOf({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): Principal {
    const [, key = ""] = /(?:Credential=|X-Amz-Credential=)([^/%]+)(?:\/|%2F)/.exec(headers.authorization ?? url) ?? [];
    const found = this.#byKey.get(key);
    if (!found) throw new AccessDenied(`no principal has the access key "${key}"`);
    return found;
  }

  /** Whether a principal may do something. Records the result. */
  may({ role, policies }: Principal, access: Access): boolean {
    if (!policies.every((statements) => permits(statements, access))) {
      const keys = Object.values(access.context ?? {}).flat();
      this.rejections.push([role, access.action, access.resource, ...keys].join(" "));
      return false;
    }
    const used = this.#used.get(role) ?? new Set();
    this.#used.set(role, used.union(new Set(policies.flatMap((statements) => grantsUsed(statements, access)))));
    return true;
  }

  /** @throws AccessDenied unless every one of the accesses is permitted */
  authorize(principal: Principal, accesses: readonly Access[]): void {
    for (const access of accesses) {
      if (!this.may(principal, access)) {
        throw new AccessDenied(
          `${principal.role} is not authorized to perform: ${access.action} on ${access.resource}`,
        );
      }
    }
  }

  /** The grants and the used ones of each role, for the given services. */
  usage(services: readonly string[]): Map<string, { granted: Set<string>; used: Set<string> }> {
    const usage = new Map<string, { granted: Set<string>; used: Set<string> }>();
    for (const { role, policies } of this.#byKey.values()) {
      const granted = grantsOf(policies[0] ?? []).filter((grant) => services.includes(grant.split(":")[0] ?? ""));
      usage.set(role, { granted: new Set(granted), used: this.#used.get(role) ?? new Set() });
    }
    return usage;
  }
}
