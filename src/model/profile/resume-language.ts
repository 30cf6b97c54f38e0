import type { SectionKey } from './resume-section.ts';

/** The words that a printed resume adds to those of the profile, in one language. */
export interface ResumeWords {
  readonly headings: Readonly<Record<Exclude<SectionKey, 'summary'> | 'domains', string>>;
  /** The months as they are written beside a year, January first. */
  readonly months: readonly string[];
  /** The pattern of a month with its year. */
  readonly monthAndYear: string;
  readonly present: string;
  /** The separator of a list on one line. */
  readonly comma: string;
  /** The text at the foot of a page. */
  readonly page: string;
  /** The word for the document, in its title. */
  readonly resume: string;
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];

/**
 * The languages in which a resume can be printed, by their ISO 639-1 codes, with a region if it writes differently. A
 * further language is a further row. Months are those of the Unicode CLDR.
 */
// biome-ignore format: a table
const languages = {
  en: {
    headings: {
      experience: 'Experience', projects: 'Projects', skills: 'Skills', domains: 'Domains', education: 'Education',
      certifications: 'Certifications', languages: 'Languages', publications: 'Publications', awards: 'Awards',
      volunteer: 'Volunteering', interests: 'Interests', references: 'References',
    },
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    monthAndYear: '{month} {year}', present: 'present', comma: ', ', page: 'page {page} of {pages}', resume: 'Resume',
  },
  de: {
    headings: {
      experience: 'Berufserfahrung', projects: 'Projekte', skills: 'Kenntnisse', domains: 'Fachgebiete', education: 'Ausbildung',
      certifications: 'Zertifikate', languages: 'Sprachen', publications: 'Veröffentlichungen', awards: 'Auszeichnungen',
      volunteer: 'Ehrenamt', interests: 'Interessen', references: 'Referenzen',
    },
    months: ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
    monthAndYear: '{month} {year}', present: 'heute', comma: ', ', page: 'Seite {page} von {pages}', resume: 'Lebenslauf',
  },
  fr: {
    headings: {
      experience: 'Expérience professionnelle', projects: 'Projets', skills: 'Compétences', domains: 'Domaines d’expertise',
      education: 'Formation', certifications: 'Certifications', languages: 'Langues', publications: 'Publications',
      awards: 'Distinctions', volunteer: 'Bénévolat', interests: 'Centres d’intérêt', references: 'Références',
    },
    months: ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'],
    monthAndYear: '{month} {year}', present: 'aujourd’hui', comma: ', ', page: 'page {page} sur {pages}', resume: 'CV',
  },
  es: {
    headings: {
      experience: 'Experiencia profesional', projects: 'Proyectos', skills: 'Habilidades', domains: 'Áreas de especialización',
      education: 'Formación académica', certifications: 'Certificaciones', languages: 'Idiomas', publications: 'Publicaciones',
      awards: 'Premios', volunteer: 'Voluntariado', interests: 'Intereses', references: 'Referencias',
    },
    months: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sept', 'oct', 'nov', 'dic'],
    monthAndYear: '{month} {year}', present: 'actualidad', comma: ', ', page: 'página {page} de {pages}', resume: 'Currículum',
  },
  // In words that Brazil and Portugal spell the same.
  pt: {
    headings: {
      experience: 'Experiência profissional', projects: 'Projetos', skills: 'Competências', domains: 'Áreas de atuação',
      education: 'Formação', certifications: 'Certificações', languages: 'Idiomas', publications: 'Publicações',
      awards: 'Distinções', volunteer: 'Voluntariado', interests: 'Interesses', references: 'Referências',
    },
    months: ['jan.', 'fev.', 'mar.', 'abr.', 'maio', 'jun.', 'jul.', 'ago.', 'set.', 'out.', 'nov.', 'dez.'],
    monthAndYear: '{month} {year}', present: 'presente', comma: ', ', page: 'página {page} de {pages}', resume: 'Currículo',
  },
  it: {
    headings: {
      experience: 'Esperienza professionale', projects: 'Progetti', skills: 'Competenze', domains: 'Aree di competenza',
      education: 'Istruzione e formazione', certifications: 'Certificazioni', languages: 'Lingue',
      publications: 'Pubblicazioni', awards: 'Premi e riconoscimenti', volunteer: 'Volontariato', interests: 'Interessi',
      references: 'Referenze',
    },
    months: ['gen', 'feb', 'mar', 'apr', 'mag', 'giu', 'lug', 'ago', 'set', 'ott', 'nov', 'dic'],
    monthAndYear: '{month} {year}', present: 'oggi', comma: ', ', page: 'pagina {page} di {pages}', resume: 'Curriculum vitae',
  },
  nl: {
    headings: {
      experience: 'Werkervaring', projects: 'Projecten', skills: 'Vaardigheden', domains: 'Vakgebieden', education: 'Opleiding',
      certifications: 'Certificaten', languages: 'Talen', publications: 'Publicaties', awards: 'Onderscheidingen',
      volunteer: 'Vrijwilligerswerk', interests: 'Interesses', references: 'Referenties',
    },
    months: ['jan', 'feb', 'mrt', 'apr', 'mei', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dec'],
    monthAndYear: '{month} {year}', present: 'heden', comma: ', ', page: 'pagina {page} van {pages}', resume: 'Curriculum vitae',
  },
  tr: {
    headings: {
      experience: 'İş Deneyimi', projects: 'Projeler', skills: 'Beceriler', domains: 'Uzmanlık Alanları', education: 'Eğitim',
      certifications: 'Sertifikalar', languages: 'Diller', publications: 'Yayınlar', awards: 'Ödüller',
      volunteer: 'Gönüllü Çalışmalar', interests: 'İlgi Alanları', references: 'Referanslar',
    },
    months: ['Oca', 'Şub', 'Mar', 'Nis', 'May', 'Haz', 'Tem', 'Ağu', 'Eyl', 'Eki', 'Kas', 'Ara'],
    monthAndYear: '{month} {year}', present: 'halen', comma: ', ', page: 'sayfa {page} / {pages}', resume: 'Özgeçmiş',
  },
  zh: {
    headings: {
      experience: '工作经历', projects: '项目经历', skills: '专业技能', domains: '专业领域', education: '教育背景',
      certifications: '资格证书', languages: '语言能力', publications: '论文与著作', awards: '荣誉奖项', volunteer: '志愿者经历',
      interests: '兴趣爱好', references: '推荐人',
    },
    months: digits, monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 页，共 {pages} 页', resume: '简历',
  },
  'zh-TW': {
    headings: {
      experience: '工作經歷', projects: '專案經歷', skills: '專業技能', domains: '專業領域', education: '學歷',
      certifications: '專業證照', languages: '語言能力', publications: '論文與著作', awards: '獲獎紀錄', volunteer: '志工經歷',
      interests: '興趣', references: '推薦人',
    },
    months: digits, monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 頁，共 {pages} 頁', resume: '履歷',
  },
  'zh-HK': {
    headings: {
      experience: '工作經驗', projects: '項目經驗', skills: '專業技能', domains: '專業範疇', education: '學歷',
      certifications: '專業資格', languages: '語言能力', publications: '論文及著作', awards: '獎項', volunteer: '義務工作',
      interests: '興趣', references: '諮詢人',
    },
    months: digits, monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 頁，共 {pages} 頁', resume: '履歷',
  },
  ja: {
    headings: {
      experience: '職務経歴', projects: 'プロジェクト', skills: 'スキル', domains: '専門分野', education: '学歴',
      certifications: '資格', languages: '語学', publications: '論文・著作', awards: '受賞歴', volunteer: 'ボランティア活動',
      interests: '趣味・関心', references: '推薦者',
    },
    months: digits, monthAndYear: '{year}年{month}月', present: '現在', comma: '、', page: '{page} / {pages} ページ', resume: '職務経歴書',
  },
  ar: {
    headings: {
      experience: 'الخبرة المهنية', projects: 'المشاريع', skills: 'المهارات', domains: 'مجالات الخبرة', education: 'التعليم',
      certifications: 'الشهادات المهنية', languages: 'اللغات', publications: 'المنشورات', awards: 'الجوائز',
      volunteer: 'العمل التطوعي', interests: 'الاهتمامات', references: 'المراجع',
    },
    months: ['يناير', 'فبراير', 'مارس', 'أبريل', 'مايو', 'يونيو', 'يوليو', 'أغسطس', 'سبتمبر', 'أكتوبر', 'نوفمبر', 'ديسمبر'],
    monthAndYear: '{month} {year}', present: 'حتى الآن', comma: '، ', page: 'صفحة {page} من {pages}', resume: 'السيرة الذاتية',
  },
  he: {
    headings: {
      experience: 'ניסיון תעסוקתי', projects: 'פרויקטים', skills: 'כישורים', domains: 'תחומי התמחות', education: 'השכלה',
      certifications: 'הסמכות', languages: 'שפות', publications: 'פרסומים', awards: 'פרסים', volunteer: 'התנדבות',
      interests: 'תחומי עניין', references: 'ממליצים',
    },
    months: ['ינו׳', 'פבר׳', 'מרץ', 'אפר׳', 'מאי', 'יוני', 'יולי', 'אוג׳', 'ספט׳', 'אוק׳', 'נוב׳', 'דצמ׳'],
    monthAndYear: '{month} {year}', present: 'היום', comma: ', ', page: 'עמוד {page} מתוך {pages}', resume: 'קורות חיים',
  },
} satisfies Record<string, ResumeWords>;

/** A language, or one of its regions that writes differently. */
export type LanguageTag = keyof typeof languages;

export const languageCodes = Object.keys(languages).filter((tag) => !tag.includes('-'));

const codeOf = (tag: string) => tag.split('-')[0]!;

/** Whether a resume can be printed in a language: `de`, or with a region, `de-AT`. */
export const isResumeLanguage = (tag: string): boolean =>
  /^[a-z]{2}(-[A-Z]{2})?$/.test(tag) && codeOf(tag) in languages;

/** Returns the row of a language in the tables of words, which is English unless it is given. */
export const tagOf = (tag = 'en'): LanguageTag => (tag in languages ? tag : codeOf(tag)) as LanguageTag;

/** Returns the words of a language, which is English unless it is given. */
export const wordsOf = (tag?: string): ResumeWords => languages[tagOf(tag)];
