import type { SectionKey } from './resume-section.ts';

/** The words that a printed resume adds to the profile's own, in one language. */
export interface ResumeWords {
  readonly headings: Readonly<Record<Exclude<SectionKey, 'summary'> | 'domains', string>>;
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

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];

/**
 * The languages that a resume has words in, by ISO 639-1 code, with a region if its spelling differs. To add a language, add a
 * row. Months come from the Unicode CLDR.
 */
// biome-ignore format: a table
const languages = {
  en: {
    headings: { experience: 'Experience', projects: 'Projects', skills: 'Skills', domains: 'Domains', education: 'Education',
      certifications: 'Certifications', languages: 'Languages', publications: 'Publications', awards: 'Awards',
      volunteer: 'Volunteering', interests: 'Interests', references: 'References' },
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'], score: 'Grade',
    present: 'present', page: 'page {page} of {pages}', resume: 'Resume',
  },
  de: {
    headings: { experience: 'Berufserfahrung', projects: 'Projekte', skills: 'Kenntnisse', domains: 'Fachgebiete',
      education: 'Ausbildung', certifications: 'Zertifikate', languages: 'Sprachen', publications: 'Veröffentlichungen',
      awards: 'Auszeichnungen', volunteer: 'Ehrenamt', interests: 'Interessen', references: 'Referenzen' },
    months: ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'], score: 'Note',
    present: 'heute', page: 'Seite {page} von {pages}', resume: 'Lebenslauf',
  },
  fr: {
    headings: { experience: 'Expérience professionnelle', projects: 'Projets', skills: 'Compétences',
      domains: 'Domaines d’expertise', education: 'Formation', certifications: 'Certifications', languages: 'Langues',
      publications: 'Publications', awards: 'Distinctions', volunteer: 'Bénévolat', interests: 'Centres d’intérêt',
      references: 'Références' },
    months: ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'],
    score: 'Mention', present: 'aujourd’hui', page: 'page {page} sur {pages}', resume: 'CV',
  },
  es: {
    headings: { experience: 'Experiencia profesional', projects: 'Proyectos', skills: 'Habilidades',
      domains: 'Áreas de especialización', education: 'Formación académica', certifications: 'Certificaciones',
      languages: 'Idiomas', publications: 'Publicaciones', awards: 'Premios', volunteer: 'Voluntariado', interests: 'Intereses',
      references: 'Referencias' },
    months: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sept', 'oct', 'nov', 'dic'], score: 'Calificación',
    present: 'actualidad', page: 'página {page} de {pages}', resume: 'Currículum',
  },
  // Words that Brazil and Portugal spell the same.
  pt: {
    headings: { experience: 'Experiência profissional', projects: 'Projetos', skills: 'Competências',
      domains: 'Áreas de atuação', education: 'Formação', certifications: 'Certificações', languages: 'Idiomas',
      publications: 'Publicações', awards: 'Distinções', volunteer: 'Voluntariado', interests: 'Interesses',
      references: 'Referências' },
    months: ['jan.', 'fev.', 'mar.', 'abr.', 'maio', 'jun.', 'jul.', 'ago.', 'set.', 'out.', 'nov.', 'dez.'],
    score: 'Classificação', present: 'presente', page: 'página {page} de {pages}', resume: 'Currículo',
  },
  it: {
    headings: { experience: 'Esperienza professionale', projects: 'Progetti', skills: 'Competenze',
      domains: 'Aree di competenza', education: 'Istruzione e formazione', certifications: 'Certificazioni',
      languages: 'Lingue', publications: 'Pubblicazioni', awards: 'Premi e riconoscimenti', volunteer: 'Volontariato',
      interests: 'Interessi', references: 'Referenze' },
    months: ['gen', 'feb', 'mar', 'apr', 'mag', 'giu', 'lug', 'ago', 'set', 'ott', 'nov', 'dic'], score: 'Voto',
    present: 'oggi', page: 'pagina {page} di {pages}', resume: 'Curriculum vitae',
  },
  nl: {
    headings: { experience: 'Werkervaring', projects: 'Projecten', skills: 'Vaardigheden', domains: 'Vakgebieden',
      education: 'Opleiding', certifications: 'Certificaten', languages: 'Talen', publications: 'Publicaties',
      awards: 'Onderscheidingen', volunteer: 'Vrijwilligerswerk', interests: 'Interesses', references: 'Referenties' },
    months: ['jan', 'feb', 'mrt', 'apr', 'mei', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dec'], score: 'Cijfer',
    present: 'heden', page: 'pagina {page} van {pages}', resume: 'Curriculum vitae',
  },
  tr: {
    headings: { experience: 'İş Deneyimi', projects: 'Projeler', skills: 'Beceriler', domains: 'Uzmanlık Alanları',
      education: 'Eğitim', certifications: 'Sertifikalar', languages: 'Diller', publications: 'Yayınlar', awards: 'Ödüller',
      volunteer: 'Gönüllü Çalışmalar', interests: 'İlgi Alanları', references: 'Referanslar' },
    months: ['Oca', 'Şub', 'Mar', 'Nis', 'May', 'Haz', 'Tem', 'Ağu', 'Eyl', 'Eki', 'Kas', 'Ara'], score: 'Not ortalaması',
    present: 'halen', page: 'sayfa {page} / {pages}', resume: 'Özgeçmiş',
  },
  zh: {
    headings: { experience: '工作经历', projects: '项目经历', skills: '专业技能', domains: '专业领域', education: '教育背景',
      certifications: '资格证书', languages: '语言能力', publications: '论文与著作', awards: '荣誉奖项', volunteer: '志愿者经历', interests: '兴趣爱好',
      references: '推荐人' },
    months: digits, score: '成绩', monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 页，共 {pages} 页',
    resume: '简历',
  },
  'zh-TW': {
    headings: { experience: '工作經歷', projects: '專案經歷', skills: '專業技能', domains: '專業領域', education: '學歷', certifications: '專業證照',
      languages: '語言能力', publications: '論文與著作', awards: '獲獎紀錄', volunteer: '志工經歷', interests: '興趣', references: '推薦人' },
    months: digits, score: '成績', monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 頁，共 {pages} 頁',
    resume: '履歷',
  },
  'zh-HK': {
    headings: { experience: '工作經驗', projects: '項目經驗', skills: '專業技能', domains: '專業範疇', education: '學歷', certifications: '專業資格',
      languages: '語言能力', publications: '論文及著作', awards: '獎項', volunteer: '義務工作', interests: '興趣', references: '諮詢人' },
    months: digits, score: '成績', monthAndYear: '{year}年{month}月', present: '至今', comma: '，', page: '第 {page} 頁，共 {pages} 頁',
    resume: '履歷',
  },
  ja: {
    headings: { experience: '職務経歴', projects: 'プロジェクト', skills: 'スキル', domains: '専門分野', education: '学歴', certifications: '資格',
      languages: '語学', publications: '論文・著作', awards: '受賞歴', volunteer: 'ボランティア活動', interests: '趣味・関心', references: '推薦者' },
    months: digits, score: '成績', monthAndYear: '{year}年{month}月', present: '現在', comma: '、', page: '{page} / {pages} ページ',
    resume: '職務経歴書',
  },
  ar: {
    headings: { experience: 'الخبرة المهنية', projects: 'المشاريع', skills: 'المهارات', domains: 'مجالات الخبرة',
      education: 'التعليم', certifications: 'الشهادات المهنية', languages: 'اللغات', publications: 'المنشورات',
      awards: 'الجوائز', volunteer: 'العمل التطوعي', interests: 'الاهتمامات', references: 'المراجع' },
    months: ['يناير', 'فبراير', 'مارس', 'أبريل', 'مايو', 'يونيو', 'يوليو', 'أغسطس', 'سبتمبر', 'أكتوبر', 'نوفمبر', 'ديسمبر'],
    score: 'التقدير', present: 'حتى الآن', comma: '، ', page: 'صفحة {page} من {pages}', resume: 'السيرة الذاتية',
  },
  he: {
    headings: { experience: 'ניסיון תעסוקתי', projects: 'פרויקטים', skills: 'כישורים', domains: 'תחומי התמחות',
      education: 'השכלה', certifications: 'הסמכות', languages: 'שפות', publications: 'פרסומים', awards: 'פרסים',
      volunteer: 'התנדבות', interests: 'תחומי עניין', references: 'ממליצים' },
    months: ['ינו׳', 'פבר׳', 'מרץ', 'אפר׳', 'מאי', 'יוני', 'יולי', 'אוג׳', 'ספט׳', 'אוק׳', 'נוב׳', 'דצמ׳'], score: 'ציון',
    present: 'היום', page: 'עמוד {page} מתוך {pages}', resume: 'קורות חיים',
  },
  da: {
    headings: { experience: 'Erhvervserfaring', projects: 'Projekter', skills: 'Kompetencer', domains: 'Fagområder',
      education: 'Uddannelse', certifications: 'Certificeringer', languages: 'Sprog', publications: 'Publikationer',
      awards: 'Priser', volunteer: 'Frivilligt arbejde', interests: 'Interesser', references: 'Referencer' },
    months: ['jan.', 'feb.', 'mar.', 'apr.', 'maj', 'jun.', 'jul.', 'aug.', 'sep.', 'okt.', 'nov.', 'dec.'], score: 'Karakter',
    present: 'nu', page: 'side {page} af {pages}', resume: 'CV',
  },
  nb: {
    headings: { experience: 'Arbeidserfaring', projects: 'Prosjekter', skills: 'Ferdigheter', domains: 'Fagområder',
      education: 'Utdanning', certifications: 'Sertifiseringer', languages: 'Språk', publications: 'Publikasjoner',
      awards: 'Utmerkelser', volunteer: 'Frivillig arbeid', interests: 'Interesser', references: 'Referanser' },
    months: ['jan.', 'feb.', 'mars', 'apr.', 'mai', 'juni', 'juli', 'aug.', 'sep.', 'okt.', 'nov.', 'des.'], score: 'Karakter',
    present: 'nå', page: 'side {page} av {pages}', resume: 'CV',
  },
  nn: {
    headings: { experience: 'Arbeidserfaring', projects: 'Prosjekt', skills: 'Ferdigheiter', domains: 'Fagområde',
      education: 'Utdanning', certifications: 'Sertifiseringar', languages: 'Språk', publications: 'Publikasjonar',
      awards: 'Utmerkingar', volunteer: 'Frivillig arbeid', interests: 'Interesser', references: 'Referansar' },
    months: ['jan.', 'feb.', 'mars', 'apr.', 'mai', 'juni', 'juli', 'aug.', 'sep.', 'okt.', 'nov.', 'des.'], score: 'Karakter',
    present: 'no', page: 'side {page} av {pages}', resume: 'CV',
  },
  pl: {
    headings: { experience: 'Doświadczenie zawodowe', projects: 'Projekty', skills: 'Umiejętności',
      domains: 'Obszary specjalizacji', education: 'Wykształcenie', certifications: 'Certyfikaty', languages: 'Języki',
      publications: 'Publikacje', awards: 'Nagrody', volunteer: 'Wolontariat', interests: 'Zainteresowania',
      references: 'Referencje' },
    months: ['sty', 'lut', 'mar', 'kwi', 'maj', 'cze', 'lip', 'sie', 'wrz', 'paź', 'lis', 'gru'], score: 'Ocena',
    present: 'obecnie', page: 'strona {page} z {pages}', resume: 'CV',
  },
  hu: {
    headings: { experience: 'Szakmai tapasztalat', projects: 'Projektek', skills: 'Készségek', domains: 'Szakterületek',
      education: 'Tanulmányok', certifications: 'Tanúsítványok', languages: 'Nyelvtudás', publications: 'Publikációk',
      awards: 'Díjak', volunteer: 'Önkéntes munka', interests: 'Érdeklődési kör', references: 'Referenciák' },
    months: ['jan.', 'febr.', 'márc.', 'ápr.', 'máj.', 'jún.', 'júl.', 'aug.', 'szept.', 'okt.', 'nov.', 'dec.'],
    score: 'Eredmény', monthAndYear: '{year}. {month}', present: 'jelenleg', page: '{page}. oldal, összesen {pages}',
    resume: 'Önéletrajz',
  },
  id: {
    headings: { experience: 'Pengalaman Kerja', projects: 'Proyek', skills: 'Keahlian', domains: 'Bidang Keahlian',
      education: 'Pendidikan', certifications: 'Sertifikasi', languages: 'Bahasa', publications: 'Publikasi',
      awards: 'Penghargaan', volunteer: 'Kegiatan Sukarela', interests: 'Minat', references: 'Referensi' },
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'Mei', 'Jun', 'Jul', 'Agu', 'Sep', 'Okt', 'Nov', 'Des'], score: 'Nilai',
    present: 'sekarang', page: 'halaman {page} dari {pages}', resume: 'Daftar Riwayat Hidup',
  },
  vi: {
    headings: { experience: 'Kinh nghiệm làm việc', projects: 'Dự án', skills: 'Kỹ năng', domains: 'Lĩnh vực chuyên môn',
      education: 'Học vấn', certifications: 'Chứng chỉ', languages: 'Ngoại ngữ', publications: 'Công trình công bố',
      awards: 'Giải thưởng', volunteer: 'Hoạt động tình nguyện', interests: 'Sở thích', references: 'Người tham chiếu' },
    months: ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'], score: 'Điểm',
    monthAndYear: '{month}/{year}', present: 'hiện tại', page: 'trang {page}/{pages}', resume: 'Sơ yếu lý lịch',
  },
  ru: {
    headings: { experience: 'Опыт работы', projects: 'Проекты', skills: 'Навыки', domains: 'Области специализации',
      education: 'Образование', certifications: 'Сертификаты', languages: 'Языки', publications: 'Публикации',
      awards: 'Награды', volunteer: 'Волонтёрская деятельность', interests: 'Интересы', references: 'Рекомендации' },
    months: ['янв.', 'февр.', 'март', 'апр.', 'май', 'июнь', 'июль', 'авг.', 'сент.', 'окт.', 'нояб.', 'дек.'], score: 'Оценка',
    present: 'по настоящее время', page: 'страница {page} из {pages}', resume: 'Резюме',
  },
  hi: {
    headings: { experience: 'कार्य अनुभव', projects: 'परियोजनाएँ', skills: 'कौशल', domains: 'विशेषज्ञता के क्षेत्र',
      education: 'शिक्षा', certifications: 'प्रमाणपत्र', languages: 'भाषाएँ', publications: 'प्रकाशन', awards: 'पुरस्कार',
      volunteer: 'स्वयंसेवा', interests: 'रुचियाँ', references: 'संदर्भ' },
    months: ['जन॰', 'फ़र॰', 'मार्च', 'अप्रैल', 'मई', 'जून', 'जुल॰', 'अग॰', 'सित॰', 'अक्टू॰', 'नव॰', 'दिस॰'], score: 'अंक',
    present: 'वर्तमान', page: 'पृष्ठ {page} / {pages}', resume: 'जीवनवृत्त',
  },
  ko: {
    headings: { experience: '경력', projects: '프로젝트', skills: '보유 기술', domains: '전문 분야', education: '학력', certifications: '자격증',
      languages: '외국어', publications: '논문 및 저서', awards: '수상 내역', volunteer: '봉사 활동', interests: '관심 분야', references: '추천인' },
    months: digits, score: '성적', monthAndYear: '{year}년 {month}월', present: '현재', page: '{page} / {pages} 페이지', resume: '이력서',
  },
  fa: {
    headings: { experience: 'سوابق شغلی', projects: 'پروژه‌ها', skills: 'مهارت‌ها', domains: 'حوزه‌های تخصصی',
      education: 'تحصیلات', certifications: 'گواهینامه‌ها', languages: 'زبان‌ها', publications: 'انتشارات', awards: 'جوایز',
      volunteer: 'فعالیت داوطلبانه', interests: 'علایق', references: 'معرف‌ها' },
    months: ['ژانویه', 'فوریه', 'مارس', 'آوریل', 'مه', 'ژوئن', 'ژوئیه', 'اوت', 'سپتامبر', 'اکتبر', 'نوامبر', 'دسامبر'],
    score: 'معدل', present: 'اکنون', comma: '، ', page: 'صفحهٔ {page} از {pages}', resume: 'رزومه',
  },
} satisfies Record<string, Omit<ResumeWords, keyof typeof usual> & Partial<ResumeWords>>;

/** A language, or one of its regions that writes differently. */
export type LanguageTag = keyof typeof languages;

const words = Object.fromEntries(
  Object.entries(languages).map(([tag, row]): [string, ResumeWords] => [tag, { ...usual, ...row }]),
) as Record<LanguageTag, ResumeWords>;

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
