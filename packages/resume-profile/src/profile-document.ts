import { z } from 'zod';
import { NonEmptyText } from './background.ts';
import { EmailAddress } from './email-address.ts';
import { Availability, Candidate, Experience, HttpUrl, Project, Role } from './profile.ts';
import { Colour } from './resume-design.ts';
import { entryShape, ifValid, PrintedDate, periodObject, ResumeDocument } from './resume-document.ts';
import { sectionKeys } from './resume-section.ts';
import { textFaultsOf } from './texts.ts';
import { hidableEntries, placedEntries, placedTexts, Views, viewId } from './view-fields.ts';

const printed = 'On the page and in the PDF only';
const printedPlace = NonEmptyText.optional().describe(printed);

const startDate = PrintedDate.describe('As precise as you like; programs get the first day of it');
const endDate = PrintedDate.nullable().default(null).describe('null while current; programs get the last day of it');

const StrictRole = periodObject({
  ...viewId,
  title: Role.shape.title,
  start_date: startDate,
  end_date: endDate,
  summary: NonEmptyText.optional().describe(
    'Short summary of the work in the role; programs get it as the first accomplishment',
  ),
  accomplishments: placedTexts(Role.shape.accomplishments.element).meta(Role.shape.accomplishments.meta()!),
  location: printedPlace,
});

const StrictExperience = periodObject(
  {
    ...Experience.shape,
    company_start_date: startDate,
    company_end_date: endDate,
    roles: hidableEntries(StrictRole),
    location: printedPlace,
    url: HttpUrl.optional().describe('The site of the company, on the page and in the PDF only'),
    ...entryShape,
  },
  'company_',
).refine((entry) => entry.current === (entry.company_end_date === null), {
  path: ['current'],
  error: 'must be true exactly when company_end_date is null',
  when: ifValid(z.object({ current: Experience.shape.current, company_end_date: endDate })),
});

const StrictProject = periodObject({
  ...Project.shape,
  links: z.strictObject(Project.shape.links.shape).default({}),
  role: NonEmptyText.optional().describe('Your part in it, on the page and in the PDF only'),
  start_date: PrintedDate.optional(),
  end_date: PrintedDate.nullable().optional().describe('null while it goes on'),
  highlights: placedTexts(NonEmptyText).optional().describe(printed),
  ...entryShape,
});

const yearsOfExperience = Candidate.shape.years_experience
  .optional()
  .describe('Years of professional experience, shown if they are given; without them programs get those of the dates');

/** The parts of a profile that its owner may make public; `counts` is how many jobs, projects and pages there are. */
const publicFields = [...Candidate.keyof().options, 'availability', 'counts'] as const;

/** The public parts of a new profile: enough for the landing page to introduce its owner. */
export const introduction: readonly (typeof publicFields)[number][] = [
  'name',
  'title',
  'location',
  'summary',
  'availability',
  'counts',
];

/** A rule that reports each fault that it finds. */
const reporting =
  <Value>(faultsOf: (value: Value) => readonly { readonly path: PropertyKey[]; readonly message: string }[]) =>
  (value: Value, context: z.RefinementCtx) => {
    for (const fault of faultsOf(value)) context.addIssue({ code: 'custom', ...fault });
  };

const withUniqueIds = <Item extends z.ZodType<{ readonly id: string; readonly in?: unknown }>>(item: Item) =>
  placedEntries(item).superRefine(
    reporting((items: readonly ({ readonly id?: unknown } | null | undefined)[]) =>
      [...Map.groupBy(items.keys(), (index) => items[index]?.id)].flatMap(([id, [, ...repeated]]) =>
        typeof id === 'string'
          ? repeated.map((index) => ({ path: [index, 'id'], message: 'must be unique, another has this id' }))
          : [],
      ),
    ),
    // Runs although entries are invalid otherwise.
    { when: ({ value }) => Array.isArray(value) },
  );

const Entries = z.array(z.looseObject({ section: z.string().optional() }));
const Titled = z.object({
  experience: Entries,
  projects: Entries,
  resume: z.looseObject({
    order: z.array(z.string()).optional(),
    sections: z.array(z.looseObject({ title: z.string() })).optional(),
  }),
  views: z.record(z.string(), z.looseObject({ order: z.array(z.string()).optional() })).optional(),
});

/** The titles of sections without a key: those under `sections`, and those that entries name. */
export function ownTitlesOf({ experience, projects, resume }: Omit<z.output<typeof Titled>, 'views'>): string[] {
  const lists = [experience, projects, ...Object.values(resume)].map((list) => Entries.safeParse(list).data ?? []);
  return [
    ...(resume.sections ?? []).map(({ title }) => title),
    ...lists.flat().flatMap(({ section }) => section ?? []),
  ];
}

/** Returns the faults of orders that name sections which do not exist. */
function orderFaultsOf(profile: z.output<typeof Titled>) {
  const known: readonly string[] = [...sectionKeys, ...ownTitlesOf(profile)];
  const message = `must be one of ${sectionKeys.join(', ')}, or the title of one of your sections`;
  const orders = [
    { path: ['resume'], order: profile.resume.order },
    ...Object.entries(profile.views ?? {}).map(([view, { order }]) => ({ path: ['views', view], order })),
  ];
  return orders.flatMap(({ path, order = [] }) =>
    order.flatMap((name, index) => (known.includes(name) ? [] : [{ path: [...path, 'order', index], message }])),
  );
}

/**
 * The document that the owner edits: the specification's fields, and under `resume` fields that only the printed resume
 * has (interface, The profile document). Unknown keys are faults.
 */
export const Profile = z
  .strictObject({
    $schema: z.string().optional(),
    owner_email: EmailAddress.optional().describe('Where notices go; OWNER_EMAIL overrides it'),
    candidate: z.strictObject({ ...Candidate.shape, years_experience: yearsOfExperience }).describe('Who you are'),
    experience: withUniqueIds(StrictExperience).describe(
      'One entry a company; shown ongoing first, then by latest end, unless `resume.experience_order` says otherwise',
    ),
    projects: withUniqueIds(StrictProject).describe('Shown in this order'),
    availability: z.strictObject(Availability.shape).describe('Whether you can be approached'),
    resume: ResumeDocument.describe('What the resume shows besides'),
    background: z
      .boolean('must be true or false')
      .optional()
      .describe('Whether programs can read education, certifications and the like, as the page and the PDF show them'),
    evidence: z
      .boolean('must be true or false')
      .optional()
      .describe('Whether programs can ask what in the profile touches the requirements of a job'),
    public: z
      .array(z.enum(publicFields))
      .default(['name', 'title'])
      .describe(
        `What anybody may see without a token: ${publicFields.join(', ')}; of a summary the first sentence, and as counts how many jobs and projects there are`,
      ),
    notes: z
      .array(NonEmptyText)
      .optional()
      .describe('Texts for yourself, such as those that an import found no place for; never shown or served'),
    views: Views.optional(),
    accent: Colour.optional().describe(
      'The colour of the PDF, and of links and buttons on the pages, such as "#0b5d6b"; darkened if it is hard to read',
    ),
  })
  .superRefine(reporting(orderFaultsOf), { when: ifValid(Titled) })
  .refine(({ resume, views = {} }) => resume.pdf_url === undefined || Object.keys(views).length === 0, {
    path: ['resume', 'pdf_url'],
    error: 'must not be given beside views: it would show the same PDF in all of them',
    when: ifValid(z.object({ resume: z.looseObject({ pdf_url: z.string() }), views: z.looseObject({}) })),
  })
  // Runs although fields are invalid otherwise.
  .superRefine(reporting(textFaultsOf), { when: () => true });
export type Profile = z.infer<typeof Profile>;
export type Job = Profile['experience'][number];
