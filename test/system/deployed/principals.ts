import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Access, permits, type Statement } from "./iamPolicy.ts";

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

/** All principals, and the calls that they were denied. */
export class Principals {
  readonly #byKey = new Map<string, Principal>();
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

  /** Whether a principal may do something. Records a denial. */
  may({ role, policies }: Principal, access: Access): boolean {
    if (!policies.every((statements) => permits(statements, access))) {
      const keys = Object.values(access.context ?? {}).flat();
      this.rejections.push([role, access.action, access.resource, ...keys].join(" "));
      return false;
    }
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
}
