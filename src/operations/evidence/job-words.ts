/** The kinds of sections in a job's text. */
export type SectionKind = 'requirements' | 'tasks' | 'other' | 'unknown';

// The first kind whose words a heading has. `\b` knows ASCII letters alone, so the ends of words are looked for.
// English, German, French, Spanish, Italian, Dutch, Portuguese.
const headings: readonly (readonly [Exclude<SectionKind, 'unknown'>, RegExp])[] = [
  [
    'other',
    /(?<!\p{L})(?:who we are|qui sommes|we offer|wir bieten|about|über uns|why (?:work|join|us)|how (?:we|to)|we provide)(?!\p{L})/u,
  ],
  [
    'requirements',
    /(?<!\p{L})(?:requirements?|required|qualifications?|qualified|criteria|essential|desirable|preferred|must.haves?)(?!\p{L})/u,
  ],
  [
    'requirements',
    /(?<!\p{L})(?:nice.to.haves?|bonus|plus|(?:what|who) you(?:'ll)? (?:bring|have|need|are)|you (?:bring|have|are|offer))(?!\p{L})/u,
  ],
  [
    'requirements',
    /(?<!\p{L})(?:skills?|person specification|your (?:profile|background|experience)|we(?:'re| are)? (?:expect|look|seek|need)\p{L}*)(?!\p{L})/u,
  ],
  ['requirements', /(?<!\p{L})(?:looking for|ideal candidate|experience|knowledge|competenc(?:es?|ies))(?!\p{L})/u],
  [
    'requirements',
    /(?<!\p{L})(?:profil|anforderung(?:en)?|qualifikation(?:en)?|voraussetzung(?:en)?|sie bringen|du bringst|kenntnisse)(?!\p{L})/u,
  ],
  [
    'requirements',
    /(?<!\p{L})(?:profil recherché|compétences|exigences|requisitos|perfil|requisiti|profilo|vereisten|functie-eisen)(?!\p{L})/u,
  ],
  [
    'tasks',
    /(?<!\p{L})(?:responsibilit(?:y|ies)|duties|tasks?|mission|missions|the (?:role|post|job)|what you(?:'ll| will)|you will)(?!\p{L})/u,
  ],
  ['tasks', /(?<!\p{L})(?:aufgaben|tätigkeiten|funciones|responsabilidades|mansioni|taken|responsabilités)(?!\p{L})/u],
  [
    'other',
    /(?<!\p{L})(?:benefits?|perks?|offer|offering|salary|pay|compensation|terms|conditions|practicalities|process|apply|contact)(?!\p{L})/u,
  ],
  [
    'other',
    /(?<!\p{L})(?:equal|diversity|privacy|legal|notice|company|team|summary|demands|background|location|hours|why)(?!\p{L})/u,
  ],
  [
    'other',
    /(?<!\p{L})(?:benefizien|leistungen|kontakt|bewerbung|avantages|ofrecemos|beneficios|vantaggi|wij bieden|offriamo)(?!\p{L})/u,
  ],
];

/** Returns the kind of section that a heading begins; null if its words are not known. A heading has few words. */
export function headingKindOf(heading: string): Exclude<SectionKind, 'unknown'> | null {
  if (heading.length > 80 || heading.split(/\s+/).length > 7) return null;
  const words = heading.toLowerCase().replaceAll('’', "'");
  return headings.find(([, known]) => known.test(words))?.[0] ?? null;
}

const cues: readonly RegExp[] = [
  /(?<!\p{L})(?:must|required?|requires|essential|desirable|preferred|ideally|need(?:s|ed)? an?|a plus|an advantage|even better)(?!\p{L})/u,
  /(?<!\p{L})(?:experienced? (?:of|with|in)|knowledge of|able to|ability to|familiar(?:ity)? with|proficien\p{L}+|fluen(?:t|cy))(?!\p{L})/u,
  /(?<!\p{L})(?:you (?:have|bring|know|are able)|(?:someone|somebody|a person|candidates?) (?:who|with)|should have|is welcome)(?!\p{L})/u,
  /(?:erfahrung|kenntnis|voraussetz|von vorteil|wünschenswert|abgeschlossene)/,
  /(?:expérience|connaissance|maîtrise|exigée?|souhaitée?|experiencia|conocimiento|imprescindible|esperienza|ervaring)/,
];

/** Whether a sentence says what an applicant should have; a question does not. */
export const isRequirementSentence = (sentence: string): boolean => {
  const words = sentence.toLowerCase();
  return !/[?？]$/.test(words) && cues.some((cue) => cue.test(words));
};
