/** Words and phrases for the same subject, or for a kind and what is usually named of it, a group a line. */
export const synonyms: readonly (readonly string[])[] = [
  ['kubernetes', 'k8s'],
  ['infrastructure as code', 'terraform', 'ansible', 'pulumi'],
  ['aws', 'amazon web services', 's3', 'ec2'],
  ['object storage', 'object stores', 'stockage objet', 'blob storage'],
  ['state machine', 'fsm'],
  ['artificial intelligence', 'ai'],
  ['machine learning', 'ml'],
  ['user interface', 'ui', 'interface'],
  ['gis', 'geographic information system', 'geospatial', 'gdal', 'qgis', 'postgis'],
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['postgresql', 'postgres'],
  ['continuous integration', 'ci', 'ci cd'],
  ['maths', 'math', 'mathematics'],
  ['open source', 'opensource'],
  ['mentor', 'coach'],
  ['leadership', 'lead', 'leader'],
  ['map', 'mapping', 'cartography'],
  ['diver', 'diving', 'under water', 'submerged'],
  ['shader', 'shaders', 'hlsl', 'glsl'],
  ['physics', 'rigid body', 'collision detection'],
  ['localisation', 'localization', 'l10n'],

  ['nurse', 'nursing'],
  ['bookkeeping', 'accounting', 'accountancy'],
];

/** Forms that no rule for endings derives. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    led: 'lead',
    built: 'build',
    written: 'write',
    wrote: 'write',
    storage: 'store',
    faster: 'fast',
    taught: 'teach',
    ran: 'run',
    drove: 'drive',
    drawn: 'draw',
    sold: 'sell',
    bought: 'buy',
    grew: 'grow',
    grown: 'grow',
    maths: 'math',
    mathematics: 'math',
  }),
);

/**
 * Words of work in many professions. One that a requirement and a text share says little; two, such as those of
 * `design review`, count.
 */
export const weakWords: readonly string[] = `
achieve adopt analyse analysis application approach architecture assistant associate author automate base board build
business change client code collaborate communicate community configure content contribute coordinate core cost create
custom customer data decrease define deploy design develop document drive engineer ensure error evaluate event feature
feedback fix flow form function generate global group identify implement improve increase initial innovate integrate
internal introduce invent item junior language launch layer lead level local maintain manage market measure medium
method mobile model monitor object optimize organize perform performance platform point prepare present principal
processing produce product production program project prototype publish record reduce release report research response
responsible review run scale scope screen script senior serve service set ship simple site software source staff
standard state structure study support technical technique technologist technology test tool track train update user
value verify version web world`
  .trim()
  .split(/\s+/);

const inEnglish = `
a able about above accomplish across after against all along also although among an and another any anything applicant
apply are area around as ask at be because been before being benefit best better between both bring but by can
candidate care carry certificate certification certified clear comparable could day deep degree deliver did different
do does during e each eg either else enough environment equivalent essential etc even ever every example excellent
experience expert familiar familiarity few field first for from full g get give good great had hand hands has
have he help her here high his hold how i ideal ie if in including inside into is it its join just keep kind
know knowledge large last least less like little long look lot love made main make many may me member minimum more
most much must my near need never new nice no not now number of off often on one only operate or other our out outside
over own part people person plan plus possible post practical practice prefer proven provide qualification quality
quite range really registration related relevant required result right role same several she should show similar since
skill small so solid some somebody someone something strong such sure system take task team than that the their them
then there these they thing think this those three through time to together too two under understand understanding
until up us use used using usual various very want was we welcome well were what when where whether which while who
whole why will willing with within without word work worker working would write year yes you your`;

const inOtherLanguages = `der die das den dem des ein eine einen einem einer und oder mit von zu zum zur im in am auf für bei aus nach
als auch sowie ist sind hat haben wird werden sie ihr ihre wir uns nicht sehr gute guter sicherer umgang erfahrung erfahrungen
kenntnisse kenntnis vorteil abgeschlossenes studium jahr jahre jahren heute jede woche unter vor über ihn man le la les de du d un une et ou
avec pour par dans sur au aux en est sont bonne bon connaissance connaissances expérience maîtrise parmi votre vous nous langage
el los las una con para por y o del al se su sus experiencia conocimiento conocimientos il lo gli di da per che esperienza
conoscenza het een van voor op met ervaring kennis um uma com no na em os as experiência conhecimento`;

/** Words that fit a text of every job, and words of grammar. */
export const commonWords: readonly string[] = `${inEnglish} ${inOtherLanguages}`.trim().split(/\s+/);
