import { languageCodes, wordsOf } from 'resume-profile/resume-language';

// The parts of an entry are told apart by words. English, German, the Romance languages, Dutch, Turkish, Polish, Russian, Chinese, Japanese, Korean, Arabic, Hebrew.
const jobTitle =
  /\b(engineer|developer|programmer|manager|director|intern|trainee|analyst|consultant|designer|scientist|researcher|fellow|assistant|associate|lead|leader|head|chief|officer|c[efiot]o|vp|vice president|president|founder|co-founder|owner|architect|administrator|admin|specialist|coordinator|supervisor|technician|teacher|tutor|lecturer|professor|instructor|nurse|physician|editor|writer|journalist|accountant|lawyer|attorney|clerk|cashier|salesperson|representative|agent|advis[eo]r|strategist|planner|producer|artist|photographer|translator|operator|mechanic|electrician|driver|chef|secretary|receptionist|librarian|volunteer|member|mentor|apprentice|freelancer?|contractor|tester|sre|devops|postdoc|chair|executive|buyer|recruiter|controller|auditor|staff|principal)s?\b|entwickler|doktorand|ingenieur|leiter(in)?\b|berater|mitarbeiter|werkstudent|praktikant|geschäftsführ|assistent|referent|sachbearbeiter|lehrer|kaufmann|kauffrau|techniker|architekt|redakteur|ingénieur|développeu|direct(eur|rice)|responsable|stagiaire|chargée? d|gérante?|professeur|ingenier|desarrollador|gerente|analista|becari[oa]|profesor|asistente|engenheir|desenvolvedor|diretor|estagiári|ingegnere|sviluppatore|tirocinante|direttore|ontwikkelaar|medewerker|stagiair|adviseur|mühendis|geliştirici|müdür|uzman|stajyer|inżynier|programista|kierownik|specjalist|stażyst|инженер|разработчик|менеджер|руководитель|директор|аналитик|工程[师師]|经理|經理|[总總]监|實習|实习|主管|助理|研究[员員]|エンジニア|マネージャ|部長|課長|엔지니어|개발자|매니저|مهندس|مدير|مطور|محلل|מהנדס|מנהל|מפתח/iu;

const school =
  /\b(university|college|school|institute|institut|academy|polytechnic|faculty|mit|eth|kth)\b|universi[tdz]|université|schule\b|gymnasium|akademie|école|\blycée\b|facult|politecnic|istituto|instituto|escuela|colegio|escola|scuola|liceo|üniversite|lisesi|uniwersytet|politechnika|университет|институт|大学|大學|学院|學院|高校|대학교|جامعة|אוניברסיט|מכללה/iu;

const degree =
  /\b(ph\.?\s?d|doctor(ate|al)?|d\.?phil|m\.?\s?b\.?a|[bm]\.?\s?sc?|[bm]\.?\s?a|[bm]\.?\s?eng|bachelor|master|magister|associate|diplom[ae]?|diploma|licen[cs]e?|licenciatura|laurea|minor|major|certificate|abitur|baccalauréat|maturité|high school)\b|bachelor|master|diplom\b|doktor|staatsexamen|abschluss\b|grado\b|máster|mestrado|graduação|lisans|magisterskie|学士|學士|硕士|碩士|博士|修士|بكالوريوس|ماجستير/iu;

const companyForm =
  /\b(inc|ltd|llc|llp|gmbh|ag|kg|corp|corporation|company|s\.?a|s\.?r\.?l|b\.?v|plc|oy|group|bank|labs?|university|college|hospital|institute|foundation|agency|studios?|technologies|solutions|ventures|gruppe|société)\b\.?|公司|集团|集團|株式会社|大学|银行/iu;

const place =
  /^\p{Lu}[\p{L}.'’ -]{1,40}, ?(?:\p{Lu}{2,3}|\p{Lu}[\p{L}.'’ -]{2,40})(?:, ?\p{Lu}[\p{L}.'’ -]{1,40})?(?: ?\((?:remote|hybrid|on-?site)\))?$/u;

const workplace = /^(?:remote|hybrid|on-?site|home ?office)\b/i;

const duration =
  /^[(·\s]*(?:\d{1,2} ?(?:years?|yrs?|y|months?|mos?|m|jahre?|monate?|ans?|mois|años?|meses|mes|anos?|mês|anni?|mesi|mese|jaar|maanden?|年|个月|個月|ヶ月)\.?,? ?)+[)\s]*$/iu;

export const isJobTitle = (text: string): boolean => jobTitle.test(text) && text.length <= 120;
export const isSchool = (text: string): boolean => school.test(text);
export const isDegree = (text: string): boolean => degree.test(text);
export const isCompany = (text: string): boolean => companyForm.test(text);
export const isPlace = (text: string): boolean =>
  (place.test(text) || workplace.test(text)) && !isJobTitle(text) && !isCompany(text) && !isDegree(text);
/** Whether a text says how long something took, which follows from its dates. */
export const isDuration = (text: string): boolean => duration.test(text);

const documentTitle = new Set([
  ...languageCodes.map((code) => wordsOf(code).resume.toLowerCase()),
  'cv',
  'curriculum vitae',
  'résumé',
]);
/** Whether a text only says that the document is a resume. */
export const isDocumentTitle = (text: string): boolean => documentTitle.has(text.trim().toLowerCase());

const contactHeading =
  /^(contact|kontakt|coordonn|contatt|contac?to|persönliche|personal (info|data|details)|iletişim|联系|聯絡|連絡先|연락처|контакт|اتصال|יצירת קשר)/iu;
export const isContactHeading = (text: string): boolean => contactHeading.test(text.trim());

const label =
  /^(e-?mail|mail|phone|tel(efon|éfono|efone|éphone)?|mobile?|cell|handy|address|adresse|website|web|site|homepage|url|linkedin|github|gitlab|location|wohnort|twitter|x|mastodon|highlights|responsibilities|achievements|courses|keywords)\s*:?$/iu;
/** Whether a text only names what stands beside it or below it. */
export const isLabel = (text: string): boolean => label.test(text.trim());
export const labelReason = 'It only names what is beside it';
