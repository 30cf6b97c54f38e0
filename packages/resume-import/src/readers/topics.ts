// English, then German, the Romance languages, Dutch, Turkish, Chinese, Japanese, Korean, Arabic, Hebrew, and the others that
// a resume has words in, without accents. In this order: volunteer experience is not a job, and programming languages are skills.
// biome-ignore format: a table
const topics = [
  ['volunteering',
    /volunt|volontar|ehrenamt|freiwillig|benevol|vrijwillig|gonullu|志愿|志願|ボランティア|봉사|تطوع|התנדב|wolontariat|frivillig|onkentes|sukarela|tinh nguyen|волонт[её]р|स्वयंसेव|داوطلب/],
  ['other',
    /activit|extracurricular|leadership|patent|\btalks?\b|presentation|lectures?\b|aktivitat|vortrag|vortrage|actividad|atividad|attivita|brevet|conferenc|etkinlik|faaliyet|专利|專利|特許|演讲|演講|講演|活动|活動|특허|활동|wystapien|szkolen|foredrag|kurser|eloadas|organisasi|hoat dong|выступлен|доклад|курсы|सम्मेलन/],
  ['awards',
    /awards?\b|\bhono(u)?rs?\b|prizes?\b|fellowship|scholarship|auszeichnung|stipendi|premios?\b|premi\b|\bprix\b|distinction|distinco|bourses|becas\b|reconocimient|riconosciment|prijzen|odul|获奖|獲獎|奖|獎|荣誉|榮譽|受賞|수상|جوائز|פרסים|nagrod|osiagniec|wyroznien|\bpriser\b|utmerk|dijak|penghargaan|giai thuong|наград|достижен|पुरस्कार|جوایز/],
  ['projects',
    /proje|proyecto|progett|open source|portfolio|项目|專案|プロジェクト|프로젝트|مشاريع|פרויקט|projekt|prosjekt|proyek|du an|проект|परियोजना|پروژه/],
  ['publications',
    /publica|publika|pubblica|\bpapers\b|\barticles\b|veroffentlich|yay[iı]n|发表|發表|论文|論文|出版|논문|منشورات|פרסומים|publikacj|publikasj|publikaci|publikasi|cong bo|публикац|प्रकाशन|انتشارات/],
  ['skills', /programming|programmier|programmat|programaci|programac|technolog|tecnolog|framework|\btools|tech stack|^software$/],
  ['languages',
    /language|sprache|sprachkennt|idioma|\blangues\b|\blingue\b|\blenguas\b|\blinguas\b|\btalen\b|talenkennis|\bdil(ler)?\b|语言|語言|外语|言語|語学|어학|외국어|لغات|שפות|\bjezyki\b|jezykow|\bsprog\b|\bsprak\b|\bspråk\b|nyelv|\bbahasa\b|ngoai ngu|ngon ngu|язык|भाषा|زبان|외국어/],
  ['skills',
    /skill|expertise|competen|tech(nical)? stack|kenntnisse|fahigkeit|kompetenz|habilidad|aptitud|conocimient|conheciment|conoscenz|vaardighe|yetenek|beceri|yetkinlik|技能|技术|技術|スキル|기술|스킬|مهارات|כישורים|מיומנויות|umiejetnosc|kompetenc|kompetanse|ferdighe|færdighe|keszseg|keahlian|keterampilan|ky nang|навык|कौशल|مهارت/],
  ['certifications',
    /certif|zertifi|sertifika|licen[cs]es?\b|credential|证书|證照|證書|资格|資格|자격|شهادات|הסמכות|תעודות|certyfik|sertifis|certificering|tanusitvany|sertifikasi|chung chi|сертифик|प्रमाणपत्र|گواهی/],
  ['references',
    /referenc|referenz|referans|referenti|recomm[ae]ndations\b|recomendac|raccomandaz|empfehlung|aanbeveling|testimonial|推荐人|推薦人|证明人|مراجع|ממליצים|referencje|referencer|referans|referensi|рекомендац|संदर्भ|معرف/],
  ['interests',
    /(?<!research )interest|hobb|interes|interet|loisirs|ilgi alan|兴趣|興趣|爱好|趣味|취미|اهتمامات|תחומי עניין|zainteresowan|erdeklod|\bminat\b|so thich|интерес|रुचि|علایق/],
  ['education',
    /educat|academic|degrees|studies|bildung|studium|educac|formacion|formation|formazion|formacao|estudios|istruzion|opleiding|onderwijs|egitim|ogrenim|教育|学历|學歷|学歴|학력|교육|تعليم|השכלה|wykszta[lł]cen|edukacj|uddannelse|utdan|tanulmany|vegzettseg|pendidikan|hoc van|образован|शिक्षा|تحصیل/],
  ['experience',
    /experienc|employment|career|internship|^work( history)?$|beruf|erfahrung|praktik|werdegang|esperienz|empleo|emploi|ervaring|deneyim|tecrube|工作|经历|經歷|经验|經驗|職歴|職務|경력|خبر|ניסיון|doswiadczen|erfaring|tapasztalat|pengalaman|kinh nghiem|опыт|अनुभव|سوابق|경력/],
  ['summary',
    /summary|about|profil|perfil|welcome|objective|introduc|\bbio\b|objetivo|objectif|^resume$|resumen|resumo|zusammenfassung|uber mich|a propos|sobre m|acerca|sommario|riepilogo|samenvatting|over mij|\bozet\b|hakkımda|简介|簡介|总结|總結|自己紹介|自我|摘要|概要|자기소개|요약|ملخص|نبذة|תקציר|אודות|podsumowan|o mnie|om mig|om meg|bemutatkoz|ringkasan|gioi thieu|muc tieu|о себе|обо мне|सारांश|درباره/],
] as const satisfies readonly (readonly [string, RegExp])[];

/** The topic of a section of a resume; `other` if the profile has no key for it. */
export type Topic = (typeof topics)[number][0];

const conjunction = /[&+/,]|\b(and|und|et|y|e|en|ve|u|i|og|es|dan|va|и)\b|[和与及と]/;

/**
 * The topic of a section by its title, which its author chose; undefined if no topic matches, or several, as in
 * “Experience and awards”. The label of each entry tells the topics of “Skills & languages”.
 */
export function topicOf(title: string): Topic | undefined {
  const words = plain(title);
  const matches = [...new Set(topics.flatMap(([topic, pattern]) => (pattern.test(words) ? topic : [])))];
  if (matches.length < 2 || !conjunction.test(words)) return matches[0];
  return matches.includes('skills') ? 'skills' : undefined;
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
