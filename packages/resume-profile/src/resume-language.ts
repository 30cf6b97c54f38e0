import type { SectionKey } from './resume-section.ts';

/** The order of the headings in the table of languages. */
// biome-ignore format: a table
const headingKeys = [
  'experience', 'projects', 'skills', 'domains', 'education', 'certifications', 'languages', 'publications', 'awards',
  'volunteer', 'interests', 'references',
] as const satisfies (SectionKey | 'domains')[];

/** The words that a printed resume adds to the profile's own, in one language. */
export interface ResumeWords {
  readonly headings: Readonly<Record<(typeof headingKeys)[number], string>>;
  /** The months as they are written beside a year, January first. */
  readonly months: readonly string[];
  readonly present: string;
  /** The text at the foot of a page. */
  readonly page: string;
  /** The word for the document, in its title. */
  readonly resume: string;
  /** The label of a grade that is a number. */
  readonly score: string;
  /** The pattern of a month with its year. */
  readonly monthAndYear: string;
  /** The separator of a list on one line. */
  readonly comma: string;
}

/** The values that most languages share. */
const usual = { monthAndYear: '{month} {year}', comma: ', ' };

type EachAsText<Keys extends readonly string[]> = { readonly [Index in keyof Keys]: string };

/** The words of a language as the table has them; months are given if they differ from the Unicode CLDR's. */
interface Row extends Omit<ResumeWords, 'headings' | 'months' | keyof typeof usual>, Partial<typeof usual> {
  readonly headings: EachAsText<typeof headingKeys>;
  readonly months?: readonly string[];
}

/**
 * The languages that a resume has words in, by ISO 639-1 code, with a region if its spelling differs. To add a language, add a
 * row.
 */
// biome-ignore format: a table
const languages = {
  en: { headings: ['Experience', 'Projects', 'Skills', 'Domains', 'Education', 'Certifications', 'Languages', 'Publications',
      'Awards', 'Volunteering', 'Interests', 'References'],
    score: 'Grade', present: 'present', page: 'page {page} of {pages}', resume: 'Resume' },
  de: { headings: ['Berufserfahrung', 'Projekte', 'Kenntnisse', 'Fachgebiete', 'Ausbildung', 'Zertifikate', 'Sprachen',
      'Veröffentlichungen', 'Auszeichnungen', 'Ehrenamt', 'Interessen', 'Referenzen'],
    score: 'Note', present: 'heute', page: 'Seite {page} von {pages}', resume: 'Lebenslauf' },
  fr: { headings: ['Expérience professionnelle', 'Projets', 'Compétences', 'Domaines d’expertise', 'Formation',
      'Certifications', 'Langues', 'Publications', 'Distinctions', 'Bénévolat', 'Centres d’intérêt', 'Références'],
    score: 'Mention', present: 'aujourd’hui', page: 'page {page} sur {pages}', resume: 'CV' },
  es: { headings: ['Experiencia profesional', 'Proyectos', 'Habilidades', 'Áreas de especialización', 'Formación académica',
      'Certificaciones', 'Idiomas', 'Publicaciones', 'Premios', 'Voluntariado', 'Intereses', 'Referencias'],
    score: 'Calificación', present: 'actualidad', page: 'página {page} de {pages}', resume: 'Currículum' },
  // Words that Brazil and Portugal spell the same.
  pt: { headings: ['Experiência profissional', 'Projetos', 'Competências', 'Áreas de atuação', 'Formação', 'Certificações',
      'Idiomas', 'Publicações', 'Distinções', 'Voluntariado', 'Interesses', 'Referências'],
    months: ['jan.', 'fev.', 'mar.', 'abr.', 'maio', 'jun.', 'jul.', 'ago.', 'set.', 'out.', 'nov.', 'dez.'],
    score: 'Classificação', present: 'presente', page: 'página {page} de {pages}', resume: 'Currículo' },
  it: { headings: ['Esperienza professionale', 'Progetti', 'Competenze', 'Aree di competenza', 'Istruzione e formazione',
      'Certificazioni', 'Lingue', 'Pubblicazioni', 'Premi e riconoscimenti', 'Volontariato', 'Interessi', 'Referenze'],
    score: 'Voto', present: 'oggi', page: 'pagina {page} di {pages}', resume: 'Curriculum vitae' },
  nl: { headings: ['Werkervaring', 'Projecten', 'Vaardigheden', 'Vakgebieden', 'Opleiding', 'Certificaten', 'Talen',
      'Publicaties', 'Onderscheidingen', 'Vrijwilligerswerk', 'Interesses', 'Referenties'],
    score: 'Cijfer', present: 'heden', page: 'pagina {page} van {pages}', resume: 'Curriculum vitae' },
  tr: { headings: ['İş Deneyimi', 'Projeler', 'Beceriler', 'Uzmanlık Alanları', 'Eğitim', 'Sertifikalar', 'Diller', 'Yayınlar',
      'Ödüller', 'Gönüllü Çalışmalar', 'İlgi Alanları', 'Referanslar'],
    score: 'Not ortalaması', present: 'halen', page: 'sayfa {page} / {pages}', resume: 'Özgeçmiş' },
  zh: { headings: ['工作经历', '项目经历', '专业技能', '专业领域', '教育背景', '资格证书', '语言能力', '论文与著作', '荣誉奖项', '志愿者经历', '兴趣爱好', '推荐人'],
    score: '成绩', monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 页，共 {pages} 页', resume: '简历' },
  'zh-TW': { headings: ['工作經歷', '專案經歷', '專業技能', '專業領域', '學歷', '專業證照', '語言能力', '論文與著作', '獲獎紀錄', '志工經歷', '興趣', '推薦人'],
    score: '成績', monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 頁，共 {pages} 頁', resume: '履歷' },
  'zh-HK': { headings: ['工作經驗', '項目經驗', '專業技能', '專業範疇', '學歷', '專業資格', '語言能力', '論文及著作', '獎項', '義務工作', '興趣', '諮詢人'],
    score: '成績', monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 頁，共 {pages} 頁', resume: '履歷' },
  ja: { headings: ['職務経歴', 'プロジェクト', 'スキル', '専門分野', '学歴', '資格', '語学', '論文・著作', '受賞歴', 'ボランティア活動', '趣味・関心', '推薦者'],
    score: '成績', monthAndYear: '{year}年{month}月', present: '現在', comma: '、', page: '{page} / {pages} ページ', resume: '職務経歴書' },
  ar: { headings: ['الخبرة المهنية', 'المشاريع', 'المهارات', 'مجالات الخبرة', 'التعليم', 'الشهادات المهنية', 'اللغات',
      'المنشورات', 'الجوائز', 'العمل التطوعي', 'الاهتمامات', 'المراجع'],
    score: 'التقدير', present: 'حتى الآن', comma: '، ', page: 'صفحة {page} من {pages}', resume: 'السيرة الذاتية' },
  he: { headings: ['ניסיון תעסוקתי', 'פרויקטים', 'כישורים', 'תחומי התמחות', 'השכלה', 'הסמכות', 'שפות', 'פרסומים', 'פרסים',
      'התנדבות', 'תחומי עניין', 'ממליצים'],
    score: 'ציון', present: 'היום', page: 'עמוד {page} מתוך {pages}', resume: 'קורות חיים' },
  da: { headings: ['Erhvervserfaring', 'Projekter', 'Kompetencer', 'Fagområder', 'Uddannelse', 'Certificeringer', 'Sprog',
      'Publikationer', 'Priser', 'Frivilligt arbejde', 'Interesser', 'Referencer'],
    score: 'Karakter', present: 'nu', page: 'side {page} af {pages}', resume: 'CV' },
  nb: { headings: ['Arbeidserfaring', 'Prosjekter', 'Ferdigheter', 'Fagområder', 'Utdanning', 'Sertifiseringer', 'Språk',
      'Publikasjoner', 'Utmerkelser', 'Frivillig arbeid', 'Interesser', 'Referanser'],
    score: 'Karakter', present: 'nå', page: 'side {page} av {pages}', resume: 'CV' },
  nn: { headings: ['Arbeidserfaring', 'Prosjekt', 'Ferdigheiter', 'Fagområde', 'Utdanning', 'Sertifiseringar', 'Språk',
      'Publikasjonar', 'Utmerkingar', 'Frivillig arbeid', 'Interesser', 'Referansar'],
    score: 'Karakter', present: 'no', page: 'side {page} av {pages}', resume: 'CV' },
  pl: { headings: ['Doświadczenie zawodowe', 'Projekty', 'Umiejętności', 'Obszary specjalizacji', 'Wykształcenie',
      'Certyfikaty', 'Języki', 'Publikacje', 'Nagrody', 'Wolontariat', 'Zainteresowania', 'Referencje'],
    score: 'Ocena', present: 'obecnie', page: 'strona {page} z {pages}', resume: 'CV' },
  hu: { headings: ['Szakmai tapasztalat', 'Projektek', 'Készségek', 'Szakterületek', 'Tanulmányok', 'Tanúsítványok',
      'Nyelvtudás', 'Publikációk', 'Díjak', 'Önkéntes munka', 'Érdeklődési kör', 'Referenciák'],
    score: 'Eredmény', monthAndYear: '{year}. {month}', present: 'jelenleg', page: '{page}. oldal, összesen {pages}',
    resume: 'Önéletrajz' },
  id: { headings: ['Pengalaman Kerja', 'Proyek', 'Keahlian', 'Bidang Keahlian', 'Pendidikan', 'Sertifikasi', 'Bahasa',
      'Publikasi', 'Penghargaan', 'Kegiatan Sukarela', 'Minat', 'Referensi'],
    score: 'Nilai', present: 'sekarang', page: 'halaman {page} dari {pages}', resume: 'Daftar Riwayat Hidup' },
  vi: { headings: ['Kinh nghiệm làm việc', 'Dự án', 'Kỹ năng', 'Lĩnh vực chuyên môn', 'Học vấn', 'Chứng chỉ', 'Ngoại ngữ',
      'Công trình công bố', 'Giải thưởng', 'Hoạt động tình nguyện', 'Sở thích', 'Người tham chiếu'],
    months: ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'], score: 'Điểm',
    monthAndYear: '{month}/{year}', present: 'hiện tại', page: 'trang {page}/{pages}', resume: 'Sơ yếu lý lịch' },
  ru: { headings: ['Опыт работы', 'Проекты', 'Навыки', 'Области специализации', 'Образование', 'Сертификаты', 'Языки',
      'Публикации', 'Награды', 'Волонтёрская деятельность', 'Интересы', 'Рекомендации'],
    score: 'Оценка', present: 'по настоящее время', page: 'страница {page} из {pages}', resume: 'Резюме' },
  hi: { headings: ['कार्य अनुभव', 'परियोजनाएँ', 'कौशल', 'विशेषज्ञता के क्षेत्र', 'शिक्षा', 'प्रमाणपत्र', 'भाषाएँ', 'प्रकाशन',
      'पुरस्कार', 'स्वयंसेवा', 'रुचियाँ', 'संदर्भ'],
    score: 'अंक', present: 'वर्तमान', page: 'पृष्ठ {page} / {pages}', resume: 'जीवनवृत्त' },
  ko: { headings: ['경력', '프로젝트', '보유 기술', '전문 분야', '학력', '자격증', '외국어', '논문 및 저서', '수상 내역', '봉사 활동', '관심 분야', '추천인'],
    months: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'], score: '성적', monthAndYear: '{year}년 {month}월',
    present: '현재', page: '{page} / {pages} 페이지', resume: '이력서' },
  fa: { headings: ['سوابق شغلی', 'پروژه‌ها', 'مهارت‌ها', 'حوزه‌های تخصصی', 'تحصیلات', 'گواهینامه‌ها', 'زبان‌ها', 'انتشارات',
      'جوایز', 'فعالیت داوطلبانه', 'علایق', 'معرف‌ها'],
    score: 'معدل', present: 'اکنون', comma: '، ', page: 'صفحهٔ {page} از {pages}', resume: 'رزومه' },
} satisfies Record<string, Row>;

/** A language, or one of its regions that writes differently. */
export type LanguageTag = keyof typeof languages;

const words = Object.fromEntries(
  Object.entries<Row>(languages).map(([tag, { headings, months, ...row }]): [string, ResumeWords] => {
    const entries = headingKeys.map((key, index) => [key, headings[index]]);
    const made = {
      ...{ ...usual, ...row, headings: Object.fromEntries(entries) },
      get months() {
        months ??= monthsIn(tag);
        return months;
      },
    };
    return [tag, made];
  }),
) as Record<LanguageTag, ResumeWords>;

/** Returns the months of a language as it writes them beside a year. */
function monthsIn(tag: string): string[] {
  const format = new Intl.DateTimeFormat(tag, {
    month: 'short',
    year: 'numeric',
    calendar: 'gregory',
    timeZone: 'UTC',
  });
  const monthOf = (index: number) =>
    format.formatToParts(Date.UTC(2000, index)).find(({ type }) => type === 'month')!.value;
  return Array.from({ length: 12 }, (_, index) => monthOf(index));
}

export const languageCodes = Object.keys(languages).filter((tag) => !tag.includes('-'));

/** Whether a text is a language tag of BCP 47, whose language has two or three letters. */
export function isLanguageTag(text: string): boolean {
  try {
    return /^[a-z]{2,3}(-|$)/i.test(text) && new Intl.Locale(text).language !== 'und';
  } catch {
    return false;
  }
}

/** Returns the row of a language in the tables of words; null if they do not have it. */
export function rowOf(tag: string): LanguageTag | null {
  const { language, script, region } = new Intl.Locale(tag).maximize();
  // Traditional Chinese is written as in Taiwan unless the region has words of its own.
  const usual = new Intl.Locale(language, script === undefined ? {} : { script }).maximize().region;
  const own = language === 'no' ? 'nb' : language;
  return (
    ([`${own}-${region}`, `${own}-${usual}`, own] as const).find((each): each is LanguageTag => each in languages) ??
    null
  );
}

/** Returns the row of a language in the tables of words; the English row without a language, or if they lack it. */
export const tagOf = (tag = 'en'): LanguageTag => rowOf(tag) ?? 'en';

/** Returns the words of a language, English by default. */
export const wordsOf = (tag?: string): ResumeWords => words[tagOf(tag)];

const englishNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** Returns the English name of a language. */
export const languageNameOf = (code: string): string => englishNames.of(code) ?? code;

/** Returns the code of a language named in English or in itself; any other text unchanged. */
export function toLanguageTag(text: string): string {
  const isNamed = (code: string) =>
    [languageNameOf(code), new Intl.DisplayNames([code], { type: 'language' }).of(code)].some(
      (name) => name?.toLowerCase() === text.toLowerCase(),
    );
  return languageCodes.find(isNamed) ?? text;
}
