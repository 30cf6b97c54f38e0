/** Words and phrases for the same subject, or for a kind and what is usually named of it, a group a line. */
export const synonyms: readonly (readonly string[])[] = [
  ['kubernetes', 'k8s'],
  ['infrastructure as code', 'terraform', 'ansible', 'pulumi'],
  ['aws', 'amazon web services', 's3', 'ec2'],
  ['object storage', 'object stores', 'stockage objet', 'blob storage'],
  ['state machine', 'fsm'],
  ['artificial intelligence', 'ai'],
  ['machine learning', 'ml', 'deep learning', 'neural network', 'gradient boosting', 'pytorch', 'tensorflow'],
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

  ['frontend', 'front end'],
  ['backend', 'back end'],
  ['user experience', 'ux'],
  ['accessibility', 'a11y', 'wcag'],
  ['natural language processing', 'nlp'],
  ['large language model', 'llm'],
  ['google cloud', 'gcp'],
  ['business intelligence', 'power bi', 'tableau', 'looker'],
  ['a/b test', 'a/b testing', 'split test', 'split testing'],
  ['quality assurance', 'qa'],
  ['search engine optimization', 'seo'],
  ['research and development', 'r&d'],
  ['human resources', 'hr'],
  ['key performance indicator', 'kpi'],
  ['team player', 'teamwork'],

  ['nurse', 'nursing'],
  ['registered nurse', 'rn'],
  ['intensive care', 'critical care', 'icu'],
  ['emergency', 'emergency department', 'accident and emergency', 'a&e'],
  ['life support', 'bls', 'acls', 'resuscitation', 'cpr'],
  ['intravenous', 'iv'],
  ['electronic health record', 'electronic medical record', 'ehr', 'emr'],
  ['bookkeeping', 'accounting', 'accountancy'],
  ['profit and loss', 'p&l'],
  ['mergers and acquisitions', 'm&a'],
  ['value added tax', 'vat'],
  ['certified public accountant', 'cpa'],
  ['enterprise resource planning', 'erp', 'sap', 'netsuite'],
  ['customer relationship management', 'crm', 'salesforce', 'hubspot'],
];

/** Forms that no rule for endings derives. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  `
led:lead built:build written:write wrote:write storage:store faster:fast taught:teach ran:run drove:drive drawn:draw
sold:sell bought:buy grew:grow grown:grow held:hold sent:send won:win spoke:speak spoken:speak maths:math
mathematics:math analysis:analyze analyses:analyze licence:license medication:medicine medications:medicine
programme:program programmes:program centre:center centres:center`
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);

/** Words of many professions: one in common says little; two near each other, such as `design review`, count. */
export const weakWords: readonly string[] = `
achieve active adopt advance analyse analysis application approach architecture assistant associate attention attitude
author automate background base board build business career change client close code collaborate colleague college
commit communicate community company complex conduct configure content contribute coordinate core cost create critical
cross custom customer data deadline decrease define department deploy design detail develop document drive effective
efficient employee end engineer enhance ensure error establish evaluate event execute fast feature feedback fix
flexible flow focus form function functional generate global goal group identify implement improve increase
independent industry initial innovate integrate internal introduce invent item job junior key language launch layer
lead learn level live local maintain manage market master measure medium method mobile model monitor month motivate
multiple object objective open opportunity optimize organisation organize orient pace participate perform performance
pipeline platform point positive prepare present principal priority problem processing produce product production
professional program project prototype publish real record reduce release report research response responsible review
run scale scope screen script sector self senior serve service set ship simple site software solve source staff
stakeholder standard state strategy structure study success support technical technique technologist technology test
tool track train university update user value verify version web week wide world`
  .trim()
  .split(/\s+/);

const inEnglish = `
a abilities ability able about above accomplish across advanced after against all along also although among an and
another any anything applicant apply are area around as ask at bachelor bachelors basic be because been before being benefit
best better between both bring but by can candidate capable care carry certificate certification certified clear
comparable could current currently daily day deep degree deliver demonstrate did different diploma do does during e
each eager eg eight either else enough environment equivalent essential etc even ever every example excellent
experience expert familiar familiarity few field first five fluency fluent for four from full g get give good great
had hand hands has have he help her here high his hold hour how i ideal ie if in including inside into is it its join
just keep kind know knowledge large last least less like little long look lot love made main make many may me member
minimum more most much must my near need never new nice nine no not now number of off often on one only operate or
other our out outside over own part people person plan plus possible post practical practice prefer proficiency
proficient proven provide qualification quality quite range really registration related relevant required result right
role same seven several she should show similar since six skill small so solid some somebody someone something strong
such sure system take task team ten than that the their them then there these they thing think this those three
through time to together too two under understand understanding until up us use used using usual various verbal very
want was we welcome well were what when where whether which while who whole why will willing with within without word
work worker working would write year yes you your`;

const inOtherLanguages = `dein deine deinen dich dir du euch ihnen unser unsere vos nos leur tu tus su was der die das
den dem des ein eine einen einem einer und oder mit von zu zum zur im in am auf für bei aus nach als auch sowie ist
sind hat haben wird werden sie ihr ihre wir uns nicht sehr gute guter sicherer umgang erfahrung erfahrungen kenntnisse
kenntnis vorteil abgeschlossenes studium jahr jahre jahren heute jede woche unter vor über ihn man le la les de du d
un une et ou avec pour par dans sur au aux en est sont bonne bon connaissance connaissances expérience maîtrise parmi
votre vous nous langage el los las una con para por y o del al se su sus experiencia conocimiento conocimientos il lo
gli di da per che esperienza conoscenza het een van voor op met ervaring kennis um uma com no na em os as experiência
conhecimento`;

/** Words that fit a text of every job, and words of grammar. */
export const commonWords: readonly string[] = `${inEnglish} ${inOtherLanguages}`.trim().split(/\s+/);
