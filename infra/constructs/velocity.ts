// Mapping templates of API Gateway, in Velocity's language, for answers that no function makes.

import { contentTypes } from "../../shared/api/operation.ts";

/** A text that a template gives back as it is: `$` and `#` begin something in the language. */
export function literal(text: string): string {
  const escaped = text.replaceAll("$", `\${dollar}`).replaceAll("#", `\${hash}`);
  return escaped === text ? text : `#set($dollar = '$')#set($hash = '#')${escaped}`;
}

/** Sets `$<variable>` to the value of a request header, the empty text where there is none; names have no letter case. */
function readHeader(variable: string, header: string): string {
  return [
    `#set($${variable} = "")`,
    "#foreach($name in $input.params().header.keySet())",
    `#if($name.toLowerCase() == "${header}")#set($${variable} = $input.params().header.get($name).trim())#end`,
    "#end",
  ].join("");
}

/** A text for requests that are sent as a form, and another one for all others. */
export function byFormat({ form, json }: Readonly<Record<"form" | "json", string>>): string {
  const isForm = `$type.toLowerCase().startsWith("${contentTypes.form}")`;
  return `${readHeader("type", "content-type")}#if(${isForm})${literal(form)}#{else}${literal(json)}#end`;
}

/**
 * The status of an answer without a function: 401 without a credential, otherwise 200 (docs/spec.md#mock-stage). Nothing looks
 * at what the credential is.
 */
export const statusByCredential = `${readHeader("credential", "authorization")}{"statusCode": #if($credential == "")401#{else}200#end}`;

/**
 * Overrides headers of an answer for pages of these origins.
 *
 * @param headers what they are told, in which `$origin` stands for the origin
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
