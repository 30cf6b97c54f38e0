import { languageCodes, rowOf, toLanguageTag } from 'resume-profile/resume-language';
import { literal, type Value } from '../source/value.ts';

/**
 * The language that a resume is printed in, as a tag, by a setting such as `fr-FR` or `spanish`. Undefined for languages
 * without printed words, and `mandarin_chinese`, whose script is unknown.
 */
export function toPrintedLanguage(setting: Value | undefined): Value | undefined {
  const stated = setting?.text.trim() ?? '';
  if (/^[a-z]{2}(-[A-Z]{2})?$/.test(stated) && rowOf(stated)) return literal(stated);
  const code = toLanguageTag(stated.replaceAll('_', ' '));
  return languageCodes.includes(code) ? literal(code) : undefined;
}

/** Words of headings by language, in lower case. */
// biome-ignore format: a table
const headingWords: Readonly<Record<string, string>> = {
  en: 'experience employment education skills projects languages summary publications awards honors certifications certificates interests references volunteering volunteer profile activities',
  de: 'erfahrung berufserfahrung werdegang ausbildung bildung studium kenntnisse fähigkeiten sprachen sprachkenntnisse projekte veröffentlichungen auszeichnungen ehrenamt interessen weiterbildung praktika hobbys',
  fr: 'expérience expériences formation formations compétences langues projets diplômes bénévolat loisirs parcours centres distinctions profil',
  es: 'experiencia educación formación habilidades competencias idiomas proyectos certificaciones premios publicaciones resumen conocimientos estudios intereses voluntariado laboral aptitudes logros',
  pt: 'experiência experiências educação formação habilidades competências idiomas projetos certificações prêmios publicações resumo conhecimentos interesses conquistas',
  it: 'esperienza esperienze istruzione formazione competenze lingue progetti certificazioni pubblicazioni premi interessi riconoscimenti profilo',
  nl: 'ervaring werkervaring opleiding opleidingen vaardigheden talen projecten certificaten vrijwilligerswerk publicaties profiel onderwijs',
  da: 'erfaring erhvervserfaring uddannelse kompetencer færdigheder sprog projekter certificeringer publikationer',
  nb: 'arbeidserfaring utdanning ferdigheter kompetanse språk prosjekter sertifiseringer publikasjoner',
  nn: 'arbeidserfaring utdanning språk ferdigheiter røynsle arbeidsrøynsle publikasjonar prosjekt sertifiseringar',
  pl: 'doświadczenie wykształcenie edukacja umiejętności języki projekty certyfikaty zainteresowania publikacje nagrody podsumowanie referencje',
  hu: 'tapasztalat tapasztalatok tanulmányok végzettség készségek nyelvtudás nyelvek projektek publikációk',
  tr: 'deneyim deneyimi deneyimler eğitim beceriler yetenekler diller projeler sertifikalar yayınlar ödüller özet',
  id: 'pengalaman pendidikan keahlian keterampilan bahasa proyek sertifikasi penghargaan ringkasan organisasi',
  vi: 'nghiệm kỹ ngữ dự chứng giải học sở',
  ru: 'опыт образование навыки языки проекты сертификаты публикации награды достижения интересы',
};

/** Languages whose headings can be told by their script, and by characters that another one with the script lacks. */
const scripts: readonly (readonly [tag: string, pattern: RegExp])[] = [
  ['ko', /\p{sc=Hangul}/u],
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]|職務|職歴|学歴|資格|語学|受賞/u],
  ['zh-TW', /[經歷學專業證獎語]/u],
  ['zh', /\p{sc=Han}/u],
  ['he', /\p{sc=Hebrew}/u],
  ['fa', /[پچژگکی]/u],
  ['ar', /\p{sc=Arabic}/u],
  ['hi', /\p{sc=Devanagari}/u],
];

/** The language of most headings of a resume, at least two of them; undefined if several are equally likely. */
export function languageOf(titles: readonly string[]): string | undefined {
  const tags = titles.flatMap((title) => {
    const script = scripts.find(([, pattern]) => pattern.test(title));
    if (script) return script[0];
    const words = new Set(title.toLowerCase().match(/[\p{L}\p{M}]+/gu));
    return Object.entries(headingWords).flatMap(([tag, known]) =>
      known.split(' ').some((word) => words.has(word)) ? tag : [],
    );
  });
  const counts = [...Map.groupBy(tags, (tag) => tag)].map(([tag, same]) => ({ tag, count: same.length }));
  const [first, second] = counts.sort((one, other) => other.count - one.count);
  return first && first.count >= Math.min(2, titles.length) && first.count !== second?.count ? first.tag : undefined;
}

let names: Set<string | undefined> | undefined;

/** Whether a text names a spoken language, in a language that a resume can be printed in or in itself. */
export function isSpokenLanguage(text: string): boolean {
  names ??= namesOfLanguages();
  return names.has(text.trim().toLowerCase());
}

/** The names of languages in lower case; undefined for a code without a language. */
function namesOfLanguages() {
  const namesIn = (locale: string) => {
    const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
    return (code: string) => names.of(code)?.toLowerCase();
  };
  const english = namesIn('en');
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => english(code));
  const nativeNames = codes.map((code) => namesIn(code)(code));
  return new Set([...nativeNames, ...languageCodes.map(namesIn).flatMap((nameOf) => codes.map(nameOf))]);
}
