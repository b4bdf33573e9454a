// API Gateway mapping templates, in Velocity, for responses without a function.

import { contentTypes } from "../../shared/api/operation.ts";

/** Escapes a text for a template: `$` and `#` are special in Velocity. */
export function literal(text: string): string {
  const escaped = text.replaceAll("$", `\${dollar}`).replaceAll("#", `\${hash}`);
  return escaped === text ? text : `#set($dollar = '$')#set($hash = '#')${escaped}`;
}

/** Sets `$<variable>` to the value of a request header, or to the empty text. Header names are case-insensitive. */
function readHeader(variable: string, header: string): string {
  return [
    `#set($${variable} = "")`,
    "#foreach($name in $input.params().header.keySet())",
    `#if($name.toLowerCase() == "${header}")#set($${variable} = $input.params().header.get($name).trim())#end`,
    "#end",
  ].join("");
}

/** A template that returns `form` for form requests, and `json` for all other requests. */
export function byFormat({ form, json }: Readonly<Record<"form" | "json", string>>): string {
  const isForm = `$type.toLowerCase().startsWith("${contentTypes.form}")`;
  return `${readHeader("type", "content-type")}#if(${isForm})${literal(form)}#{else}${literal(json)}#end`;
}

/**
 * The status of a response without a function: 401 without a credential, otherwise 200 (docs/spec.md#mock-stage). Any
 * credential is accepted.
 */
export const statusByCredential = `${readHeader("credential", "authorization")}{"statusCode": #if($credential == "")401#{else}200#end}`;

/**
 * Overrides response headers for pages of these origins.
 *
 * @param headers the values by header name; `$origin` in a value stands for the request's origin
 */
export function headersForOrigins(origins: readonly string[], headers: Readonly<Record<string, string>>): string {
  if (origins.length === 0) return "";
  const allowed = origins.includes("*")
    ? '$origin != ""'
    : origins.map((origin) => `$origin == "${origin}"`).join(" || ");
  const overrides = Object.entries(headers).map(
    ([name, value]) => `#set($context.responseOverride.header.${name} = "${value}")`,
  );
  return `${readHeader("origin", "origin")}#if(${allowed})${overrides.join("")}#end`;
}
