// Words that many cannabis businesses have in their names, so that they distinguish none of them. Plurals need no entry.

const trade =
  "420 710 apothecary bloom blunt bong bud cannabis cannabinoid cbd cigar concentrate dab dispensary edible extract extraction flower ganja glass grass green greenery hash hemp herb herbal high infused infusion joint kush leafy legal marijuana mmj pot pre-roll preroll smoke stash strain terpene thc toke tobacco vape weed";
const health =
  "alternative care caregiver clinic cure doctor compassion compassionate compassionist healing health healthcare healthy holistic med medical medicinal medicine nature natural naturally organic organically patient pharm pharma pharmaceutical pharmacy pure relief remedy therapeutic therapy treatment wellness";
const growing =
  "acre agricultural agriculture agri botanic botanical botanica botany crop cultivation cultivator farm farmer farming field flora garden gardener genetic greenhouse grow grower growing grown harvest horticulture hydroponic nursery orchard plant planter producer production ranch seed seedling soil";
const selling =
  "boutique cafe depot dealer delivery dispensing emporium express lounge market marketplace mart merchant outlet provision recreation recreational rec retail retailer sale shop shoppe shopping store supply supplier superstore wholesale wholesaler";
const making =
  "analytic analytical brand distributing distribution distributor fabrication good industrial industry kitchen lab laboratory logistic logistics manufacturer manufacturing packaging processing processor product testing transport transportation transporter";
const companies =
  "affiliate agency alliance america american asset associate association brother business capital center club co coop cooperative collective commerce company concept consultant consulting corp corporate corporation development enterprise entity equity estate family foundation fund global group holding house inc international investment investor joint liability limited llc ltd management member national network nonprofit operating operation operator partner partnership profit project property real resource service society solution sons system team technology trade trading trust united union usa us venture worldwide";
const common =
  "a an and at by de del el for from in la las los my of on or our the to with your best better big choice city classic co co-op community country county craft creative downtown east eastern elite exclusive fine first fresh gold golden good great greater home inner international island king life lifestyle little local main mile modern new next nice north northeast northern northwest number old one original platinum plus premier premium prime pro quality queen royal select silver smart south southeast southern southwest special st star state street super supreme sweet top town twin two three total true ultimate uptown valley village west western world";
const places =
  "area avenue boulevard building drive facility highway lane location premise road site suite unit alabama alaska arizona arkansas california cali colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts mass michigan minnesota mississippi missouri montana nebraska nevada hampshire jersey mexico york carolina dakota ohio oklahoma oregon pennsylvania rhode tennessee texas utah vermont virginia washington wisconsin wyoming columbia puerto rico canada canadian al ak az ar ca co ct dc fl ga hi ia id il ks ky ma md me mi mn mo ms mt nc nd ne nh nj nm nv ny oh ok pa ri sc sd tn tx ut va vt wa wi wv wy nyc sf";

const words = new Set([trade, health, growing, selling, making, companies, common, places].join(" ").split(" "));

/** Whether a word, in lower case, distinguishes no cannabis business from others. Numbers do not, nor do single letters. */
export function isGenericWord(word: string): boolean {
  if (word.length < 2 || /\d/.test(word)) return true;
  return [word, word.replace(/s$/, ""), word.replace(/es$/, ""), word.replace(/ies$/, "y")].some((one) =>
    words.has(one),
  );
}

/** The full words of common abbreviations. */
export const abbreviations: Readonly<Record<string, string>> = {
  assoc: "associates",
  ave: "avenue",
  blvd: "boulevard",
  bros: "brothers",
  ctr: "center",
  centre: "center",
  dist: "distribution",
  ft: "fort",
  grp: "group",
  hts: "heights",
  hwy: "highway",
  intl: "international",
  lk: "lake",
  mfg: "manufacturing",
  mgmt: "management",
  mt: "mount",
  mtn: "mountain",
  mtns: "mountains",
  rd: "road",
  natl: "national",
  pt: "point",
  // "St" stands for both.
  saint: "st",
  street: "st",
  spg: "spring",
  spgs: "springs",
  svc: "service",
  svcs: "services",
  vly: "valley",
};
