/**
 * The meaning of a word in a register's status:
 *
 * - `active`: the license permits business.
 * - `approved`: the authority has agreed, but not necessarily to business.
 * - `tentative`: an application or a license with conditions. States differ in what it permits.
 * - `pending`: a decision is due.
 * - `ended`: the license does not permit business. `expired` also names the reason.
 * - `endingAct`: the noun or infinitive of an ending. The act may be proposed, pending or undone.
 * - `annulled`: an ending. After another ending it undoes that one: "Suspended - Rescinded".
 * - `undoing`: may undo an ending: "Suspended (stay granted)".
 * - `license`: the license itself.
 * - `not`, `before`: negations, `before` as in "pre-license".
 * - `otherSubject`: an ending may be about this subject instead of the license: "insurance case closed", "closed complaint".
 * - `procedure`: the same for what a holder applies for, also after other words: "denied - renewal", "denied - ownership change".
 * - `measure`: the same, but after a punctuation mark it can be the reason of an ending: "suspended - violation".
 * - `cause`: the next words are the reason or the day of an ending: "revoked for nonpayment", "vencida el 1/1/2026".
 * - `date`: a part of a date.
 * - `doubt`: delays, limits or undoes an ending, or places the status in the past.
 * - `grammar`: has no meaning, and may stand between a negation and its word.
 * - `detail`: a kind of license.
 * - `manner`: a manner of ending, or the business. It may stand between a negation and its word, too.
 */
export type StatusMeaning =
  | "active"
  | "approved"
  | "tentative"
  | "pending"
  | "ended"
  | "expired"
  | "endingAct"
  | "annulled"
  | "undoing"
  | "license"
  | "not"
  | "before"
  | "otherSubject"
  | "procedure"
  | "measure"
  | "cause"
  | "date"
  | "doubt"
  | "grammar"
  | "detail"
  | "manner";

/** Phrases that are replaced before words are read, in this order. The text is in lower case and has no accents. */
export const statusPhrases: readonly (readonly [phrase: RegExp, replacement: string])[] = [
  // Spellings of "inactive" and "invalid". With another sign or a blank, "in" is a word whose meaning the next word decides.
  [/\bin ?[-‐-—] ?(active|valid|effective|operational|operating|operative)\b/g, "in$1"],
  [/\bnon ?[-‐-—]? ?renew/g, "nonrenew"],
  [/\b(non|un|pre|not) ?[-‐-—] ?/g, "$1 "],
  [/\b(de|dis|re)[-‐-—](?=[a-z])/g, "$1"],
  [/\bno longer\b/g, "not"],
  [/\b(?:in )?good[ -]standing\b/g, "goodstanding"],
  [/\b(?:in (?:force|effect|operation)|en (?:vigueur|vigor))\b/g, "inforce"],
  [/\bout of (?:business|operation)\b/g, "inoperative"],
  [/\bshut ?down\b/g, "defunct"],
  [/\bset aside\b/g, "overturned"],
  [/\bnull (?:and|&) void\b/g, "void"],
  [/\bdue to\b|\bin lieu of\b/g, "because"],
  // The reason of an ending that is certain, and no subject of another one: "Lapsed-Late Renewal Period", "Closed - Licensee Request".
  [/(?<=^(?:lapsed|expired)\W{1,3})(?:late )?renewal period$/g, ""],
  [
    /(?<=^(?:closed|surrendered|cancell?ed|terminated|revoked|inactive)\W{1,3})(licensee|owner|holder|business|company)s? request$/g,
    "by $1",
  ],
  [/\b(?:for|as)(?= (?:renewal|transfer|change|amendment|modification))/g, ""],
  [/\bwith(?:out)? prejudice\b/g, ""],
  // The holder has applied for the renewal of an active license: "Active - Renewal Pending" in Michigan.
  [
    /\bactive(?: license)?(?: ?[-‐-—/,;:(] ?| )(?:renewal (?:pending|submitted|in process|under review)|(?:pending|in) renewal)\b/g,
    "active",
  ],
  [/\b(?:in|under) renewal\b|\ben (?:proceso de )?(?:renovacion|renouvellement)\b/g, "pending renewal"],
  [/\brenewal (?:application )?(?:granted|received|filed|paid|in progress)\b/g, "pending renewal"],
  // A sign for "not" in programs, unlike the mark after a word, and a box without a check mark.
  [/!(?=[ =]*\p{L})|\[ \]/gu, "≠"],
];

/** The stems of verbs for the end or the interruption of a license, in English, Spanish and French. */
const endings = [
  "revo[ckq]|surrend|cancel|suspen[ds]|terminat|relinq|deactivat|dissol|discontin|nonrenew|forfeit|abandon|invalidat",
  "nullif|annul|anulad|rescind|resciss|withdr|retir|ceas|cessat|decertif|delicens|debar|liquidat|void|lapse|shutter",
  "den[iy]|deneg|reject|rechaz|refus|disapprov|disqualif|clos[eu]|cerrad|ferme|desactivad|renunciad",
].join("|");

/**
 * The words of statuses. They come from the cannabis registers of the states (`layouts`, and those of Maryland, Nevada,
 * Oregon and Washington), from the lists of statuses of common licensing software, and from their translations: Puerto
 * Rico publishes in Spanish, Canada also in French. A rule matches whole words, and the first match wins. A word without
 * a rule has no known meaning.
 */
export const statusWords: readonly (readonly [meaning: StatusMeaning, word: RegExp])[] = [
  ["not", /not|non|no|never|neither|nor|without|un|isnt|wasnt|hasnt|cannot|sin|pas|nunca|jamais/],
  ["before", /pre/],
  ["grammar", /the|an|is|be|been|being|has|have|in|on|of|and|yet|now|still|currently|fully|status|estado/],
  // Abbreviations with a single meaning. "A" and "I" can also stand for "approved" and "issued", and "REV" for "review".
  ["active", /act|actv/],
  ["expired", /exp|expd/],
  ["ended", /inact|inac|inactv|clsd/],
  ["endingAct", /susp|canc|canx|surr/],
  ["pending", /pend/],

  ["active", /active|activated|reactivated|reinstated|reissued|current|valid|effective|goodstanding|inforce/],
  [
    "active",
    /operational|operating|issued|licensed|renewed|renovad[oa]|renouvelee?|reactivad[oa]|activ[oa]|actif|vigente|valid[oa]/,
  ],
  ["approved", /approved|aprobad[oa]|approuvee?/],
  ["tentative", /conditional|provisional|condicional|conditionnelle?|provisoire|applications?|applicants?|solicitud/],
  ["pending", /pending|pendiente|awaiting|applied|submitted/],

  ["expired", /expired|expirad[oa]|expiree|vencid[oa]|caducad[oa]/],
  ["ended", /inactiv[eoa]|inactif|void|invalid[oa]?|defunct|dormant|inoperative|inoperable|ineligible/],
  ["annulled", /ended|rescinded|nullified|annulled|anulad[oa]s?|annule(?:es?|s)?/],
  ["ended", /withdrawn|withdrew|lapse|nulle|disallowed/],
  // "Revoking" and "revocable" announce or permit an ending. Participles state one; other forms name an act.
  ["doubt", new RegExp(`(?:${endings})\\p{L}*(?:ing|able|ible)`, "u")],
  ["ended", new RegExp(`(?:${endings})\\p{L}*?(?:d|[ai]d[oa]s?|ees?|ues?)`, "u")],
  ["endingAct", new RegExp(`(?:${endings})\\p{L}*`, "u")],

  ["license", /licen[cs]es?|licensure|licencias?|permits?|permisos?|registrations?/],
  [
    "procedure",
    /renewals?|renovacion|renouvellement|transfers?|changes?|amendments?|modifications?|variances?|waivers?|requests?|petitions?/,
  ],
  ["otherSubject", /investigations?|hearings?|audits?|complaints?|cases?|inspections?/],
  ["otherSubject", /local|city|county|municipal|municipality/],
  ["otherSubject", /accounts?|tickets?|records?|files?|expiration|expiry|deadlines?|dates?/],
  ["measure", /penalty|penalties|sanctions?|violations?|orders?|probation|citations?|holds?|fines?/],
  ["undoing", /stays?|reinstatements?|reactivations?|restored|restoration|restaurad[oa]|continued|continuance/],
  ["undoing", /cleared|resolved|removed|dismissed|waived|levantad[oa]|levee/],
  ["doubt", /proposed|about|soon|to|will|shall|may|might|would|scheduled|planned|intent|intended|intends|notice/],
  [
    "doubt",
    /requested|recommended|stayed|lifted|reversed|overturned|vacated|appeal|appeals|appealed|disputed|contested/,
  ],
  ["doubt", /apelacion|apelad[oa]|appel|mistake|mistakenly|wrongly|erroneously|none|zero|0|nil|ningun[oa]?|aucune?/],
  [
    "doubt",
    /partial|partially|conditionally|previously|formerly|former|prior|before|until|unless|if|or|possible|possibly/,
  ],
  ["doubt", /maybe|likely|eligible|error|unknown|was|were|had|open|opened|reopened|n|false|dis/],
  ["doubt", /grace|extended|extensions?|process|processing|proceso|tramite|review/],
  ["detail", /annual|full|standard|regular|unrestricted|medical|medicinal|adult|use|recreational|retail|commercial/],
  ["detail", /cannabis|marijuana|marihuana|hemp|state|retailers?|cultivators?|processors?|dispensaries/],
  ["manner", /voluntary|voluntarily|involuntary|summary|summarily|emergency|administrative|administratively/],
  ["manner", /automatic|automatically|immediate|permanent|permanently|temporarily|under/],
  [
    "manner",
    /perm|temp|temporary|temporal(?:mente)?|temporairement|voluntariamente|deemed|officially|formally|indefinitely/,
  ],
  ["manner", /operations?|locations?|premises|out/],
  ["manner", /licensees?|business|businesses|establishments?|facility|facilities|dispensary|company/],
  [
    "cause",
    /by|for|because|per|at|as|since|after|from|over|upon|eff|following|pursuant|el|la|al|les?|por|par|pour|desde|depuis/,
  ],
  [
    "date",
    /\d+(?:st|nd|rd|th)?|mon|tues?|wed|thurs?|fri|sat|sun|(?:jan|febr?|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ch|il|[ey]|ust|tember|ober|ember)?/,
  ],
];
