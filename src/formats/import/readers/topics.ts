// English, then German, the Romance languages, Dutch, Turkish, Chinese, Japanese, Korean, Arabic and Hebrew, without
// accents. In this order: volunteer experience is not a job, and programming languages are skills.
const topics = [
  [
    'volunteering',
    /volunt|volontar|ehrenamt|freiwillig|benevol|vrijwillig|gonullu|志愿|志願|ボランティア|봉사|تطوع|התנדב/,
  ],
  [
    'other',
    /activit|extracurricular|leadership|patent|\btalks?\b|presentation|lectures?\b|aktivitat|vortrag|vortrage|actividad|atividad|attivita|brevet|conferenc|etkinlik|faaliyet|专利|專利|特許|演讲|演講|講演|活动|活動|특허|활동/,
  ],
  [
    'awards',
    /awards?\b|\bhono(u)?rs?\b|prizes?\b|fellowship|scholarship|auszeichnung|stipendi|premios?\b|premi\b|\bprix\b|bourses|becas\b|reconocimient|riconosciment|prijzen|odul|获奖|獲獎|奖|獎|荣誉|榮譽|受賞|수상|جوائز|פרסים/,
  ],
  ['projects', /proje|proyecto|progett|open source|portfolio|项目|專案|プロジェクト|프로젝트|مشاريع|פרויקט/],
  [
    'publications',
    /publica|publika|pubblica|\bpapers\b|\barticles\b|veroffentlich|yayin|发表|發表|论文|論文|出版|논문|منشورات|פרסומים/,
  ],
  ['skills', /programming|programmier|programmat|programaci|programac|technolog|tecnolog|framework|\btools|tech stack/],
  [
    'languages',
    /language|sprache|sprachkennt|idioma|\blangues\b|\blingue\b|\blenguas\b|\blinguas\b|\btalen\b|talenkennis|\bdil(ler)?\b|语言|語言|外语|言語|語学|어학|외국어|لغات|שפות/,
  ],
  [
    'skills',
    /skill|expertise|competen|tech(nical)? stack|kenntnisse|fahigkeit|kompetenz|habilidad|aptitud|conocimient|conheciment|conoscenz|vaardighe|yetenek|beceri|yetkinlik|技能|技术|技術|スキル|기술|스킬|مهارات|כישורים|מיומנויות/,
  ],
  [
    'certifications',
    /certif|zertifi|sertifika|licen[cs]es?\b|credential|证书|證照|證書|资格|資格|자격|شهادات|הסמכות|תעודות/,
  ],
  [
    'references',
    /referenc|referenz|referans|referenti|recomm[ae]ndations\b|recomendac|raccomandaz|empfehlung|aanbeveling|testimonial|推荐人|推薦人|证明人|مراجع|ממליצים/,
  ],
  [
    'interests',
    /(?<!research )interest|hobb|interes|interet|loisirs|ilgi alan|兴趣|興趣|爱好|趣味|취미|اهتمامات|תחומי עניין/,
  ],
  [
    'education',
    /educat|academic|degrees|studies|bildung|studium|educac|formacion|formation|formazion|formacao|estudios|istruzion|opleiding|onderwijs|egitim|ogrenim|教育|学历|學歷|学歴|학력|교육|تعليم|השכלה/,
  ],
  [
    'experience',
    /experienc|employment|career|internship|^work( history)?$|beruf|erfahrung|praktik|werdegang|esperienz|empleo|emploi|ervaring|deneyim|tecrube|工作|经历|經歷|经验|經驗|職歴|職務|경력|خبر|ניסיון/,
  ],
  [
    'summary',
    /summary|about|profil|perfil|welcome|objective|introduc|\bbio\b|objetivo|objectif|^resume$|resumen|resumo|zusammenfassung|uber mich|a propos|sobre m|acerca|sommario|riepilogo|samenvatting|over mij|\bozet\b|hakkımda|简介|簡介|总结|總結|自己紹介|自我|摘要|概要|자기소개|요약|ملخص|نبذة|תקציר|אודות/,
  ],
] as const satisfies readonly (readonly [string, RegExp])[];

/** The topic of a section of a resume; `other` if the profile has no key for it. */
export type Topic = (typeof topics)[number][0];

const conjunction = /[&+/,]|\b(and|und|et|y|e|en|ve|u)\b|[和与及と]/;

/**
 * The topic of a section by its title, which its author chose; undefined if no topic matches, or several, as in
 * “Experience and awards”. The label of each entry tells the topics of “Skills & languages”.
 */
export function topicOf(title: string): Topic | undefined {
  const words = plain(title);
  const found = [...new Set(topics.flatMap(([topic, pattern]) => (pattern.test(words) ? topic : [])))];
  if (found.length < 2 || !conjunction.test(words)) return found[0];
  return found.includes('skills') ? 'skills' : undefined;
}

/** In lower case, with spaces between words, Latin letters without accents. */
const plain = (title: string) =>
  title
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[\s_-]+/g, ' ')
    .trim();
