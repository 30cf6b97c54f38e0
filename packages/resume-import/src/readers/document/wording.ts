import { languageCodes, wordsOf } from 'resume-profile/resume-language';

// The parts of an entry are told apart by words. In these tables an underscore is the edge of a word.

/** Words for jobs in English, each also in the plural. */
const jobWords = listed(`
  engineer developer programmer manager director intern trainee analyst consultant designer scientist researcher fellow
  assistant associate lead leader head chief officer ceo cfo cio coo cto vp president founder owner architect administrator
  admin specialist coordinator supervisor technician teacher tutor lecturer professor instructor nurse physician editor
  writer journalist accountant lawyer attorney clerk cashier salesperson representative agent adviser advisor strategist
  planner producer artist photographer translator operator mechanic electrician driver chef secretary receptionist librarian
  volunteer member mentor apprentice freelance freelancer contractor tester sre devops postdoc chair executive buyer
  recruiter controller auditor staff principal`).flatMap((word) => [` ${word} `, ` ${word}s `]);

/** Parts of words for jobs, by language: German, French, Spanish and Portuguese, Italian, Dutch and Turkish, and others. */
const jobStems = listed(`
  entwickler doktorand ingenieur leiter_ leiterin_ berater mitarbeiter werkstudent praktikant geschäftsführ assistent referent
  sachbearbeiter lehrer kaufmann kauffrau techniker architekt redakteur
  ingénieur développeu directeur directrice responsable stagiaire chargé_d chargée_d gérant_ gérante_ gérants_ gérantes_ professeur
  ingenier desarrollador gerente analista becario becaria profesor asistente
  engenheir desenvolvedor diretor estagiári ingegnere sviluppatore tirocinante direttore
  ontwikkelaar medewerker stagiair adviseur mühendis geliştirici müdür uzman stajyer
  inżynier programista kierownik specjalist stażyst инженер разработчик менеджер руководитель директор аналитик
  工程师 工程師 经理 經理 总监 總監 實習 实习 主管 助理 研究员 研究員 エンジニア マネージャ 部長 課長
  엔지니어 개발자 매니저 مهندس مدير مطور محلل מהנדס מנהל מפתח`);

const schools = listed(`
  _university_ _college_ _school_ _institute_ institut _academy_ _polytechnic_ _faculty_ _mit_ _eth_ _kth_
  universit universid universiz université schule_ gymnasium akademie école _lycée_ facult politecnic istituto instituto
  escuela colegio escola scuola liceo üniversite lisesi uniwersytet politechnika университет институт
  大学 大學 学院 學院 高校 대학교 جامعة אוניברסיט מכללה`);

const degrees = listed(`
  _phd_ _ph_d_ _doctor_ _doctorate_ _doctoral_ _dphil_ _d_phil_ _mba_ _m_b_a_ _bsc_ _b_sc_ _msc_ _m_sc_ _bs_ _b_s_ _ms_ _m_s_
  _ba_ _b_a_ _ma_ _m_a_ _beng_ _b_eng_ _meng_ _m_eng_ bachelor master _magister_ _associate_ diplom_ _diploma_ _diplome_
  _licence_ _license_ _licenciatura_ _laurea_ _minor_ _major_ _certificate_ _abitur_ _baccalauréat_
  _maturité_ _high_school_ doktor staatsexamen abschluss_ grado_ máster mestrado graduação lisans magisterskie
  学士 學士 硕士 碩士 博士 修士 بكالوريوس ماجستير`);

const companies = listed(`
  _inc_ _ltd_ _llc_ _llp_ _gmbh_ _ag_ _kg_ _corp_ _corporation_ _company_ _sa_ _s_a_ _srl_ _s_r_l_ _bv_ _b_v_ _plc_ _oy_
  _group_ _bank_ _lab_ _labs_ _university_ _college_ _hospital_ _institute_ _foundation_ _agency_ _studio_ _studios_
  _technologies_ _solutions_ _ventures_ _gruppe_ _société_ 公司 集团 集團 株式会社 大学 银行`);

const jobs = [...jobWords, ...jobStems];

function listed(table: string): string[] {
  return table
    .trim()
    .split(/\s+/)
    .map((entry) => entry.replaceAll('_', ' '));
}

/** The edges between Latin letters and others, as in `取締役CTO`. */
const scriptEdges = /(?<=[A-Za-z])(?=[^\p{sc=Latin}\p{M}\P{L}])|(?<=[^\p{sc=Latin}\p{M}\P{L}])(?=[A-Za-z])/gu;

function hasOneOf(text: string, entries: readonly string[]): boolean {
  // Letters joined by a sign, such as `M&A` and `It’s a`, are not initials.
  const apart = text.replace(/['’]s\b/g, '').replace(scriptEdges, ' ');
  const words = ` ${apart.toLowerCase().replace(/[^\p{L}\p{M}\p{N}&'’]+/gu, ' ')} `;
  return entries.some((entry) => words.includes(entry));
}

const place =
  /^\p{Lu}[\p{L}.'’ -]{1,40}, ?(?:\p{Lu}{2,3}|\p{Lu}[\p{L}.'’ -]{2,40})(?:, ?\p{Lu}[\p{L}.'’ -]{1,40})?(?: ?\((?:remote|hybrid|on-?site)\))?$/u;
const workplace = /^(?:remote|hybrid|on-?site|home ?office)\b/i;

/** The name of a firm that ends with a profession, such as Olsen Hale Architects. */
const firm =
  /^(?!.*\b(?:of|for)\b)\p{Lu}.*\s(?:Architects|Associates|Attorneys|Consultants|Designers|Engineers|Partners|Planners)$/u;

export const isJobTitle = (text: string): boolean => text.length <= 120 && !firm.test(text) && hasOneOf(text, jobs);
export const isSchool = (text: string): boolean => hasOneOf(text, schools);
export const isDegree = (text: string): boolean => hasOneOf(text, degrees);
export const isCompany = (text: string): boolean => firm.test(text) || hasOneOf(text, companies);
export const isPlace = (text: string): boolean =>
  (place.test(text) || workplace.test(text)) && !isJobTitle(text) && !isCompany(text) && !isDegree(text);

const units = listed(`
  year years yr yrs y month months mo mos m jahr jahre monat monate an ans moi mois año años mes mese meses mesi ano anos mês
  anni anno jaar maand maanden 年 个月 個月 ヶ月`);

/** Whether a text says how long something took, which follows from its dates. */
export function isDuration(text: string): boolean {
  const rest = text.replace(/\d{1,2} ?(\p{L}+)/gu, (part, unit) => (units.includes(unit.toLowerCase()) ? '' : part));
  return rest !== text && /^[\s(),.·]*$/.test(rest);
}

const resumes = [
  'cv',
  'curriculum vitae',
  'résumé',
  ...languageCodes.map((code) => wordsOf(code).resume.toLowerCase()),
];
/** Whether a text only says that the document is a resume. */
export const isDocumentTitle = (text: string): boolean => resumes.includes(text.trim().toLowerCase());

const contactHeadings = listed(`
  contact kontakt coordonn contatt contato contacto persönliche personal_info personal_data personal_details iletişim
  联系 聯絡 連絡先 연락처 контакт اتصال יצירת_קשר`);
export const isContactHeading = (text: string): boolean =>
  contactHeadings.some((beginning) => text.trim().toLowerCase().startsWith(beginning));

const labels = listed(`
  e-mail email mail phone tel telefon teléfono telefone téléphone mobil mobile cell handy address adresse website web site
  homepage url linkedin github gitlab location wohnort twitter x mastodon highlights responsibilities achievements courses
  keywords`);
/** Whether a text is only a label of the text beside it or below it. */
export const isLabel = (text: string): boolean => labels.includes(text.trim().toLowerCase().replace(/\s*:$/, ''));
export const labelReason = 'It only names what is beside it';
