import { z } from 'zod';
import { operation } from './operation.ts';

export const maxTextBytes = 20_000;

const JobText = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
  .refine((text) => new TextEncoder().encode(text).length <= maxTextBytes, `must be at most ${maxTextBytes} bytes`)
  .meta({
    description: `The text of a job, as plain text, Markdown or HTML, at most ${maxTextBytes} bytes`,
    maxLength: maxTextBytes,
    examples: ['Requirements:\n- Experience with Kafka\n- Mentoring of engineers\n- A driving licence'],
  });

const Evidence = z.object({
  id: z.string().nullable().meta({ description: 'The id of the experience entry or project; null for other texts' }),
  place: z.string().meta({
    description:
      'Where the text is in that entry, such as roles.0.title; with a null id, skills.0 or certifications.0.name',
  }),
  words: z.string().meta({ description: 'The text of the profile, unchanged' }),
});

export const findEvidence = operation({
  name: 'find_evidence',
  title: 'Find evidence',
  summary: 'Finds the texts of the profile that share words with the requirements of a job.',
  description:
    "Use it to compare a job with the profile. Give the job's text; returns up to 100 of its requirements in their order, each with the texts of the profile that share words with it, or an empty list: nothing stated. It searches experience, projects, skills and, if get_background is offered, certifications, by words alone; read the summary, education and languages yourself. It does not assess: that nothing is stated does not mean that the candidate lacks it. The text is not kept.",
  kind: 'search',
  isOffered: ({ evidence }) => evidence === true,
  access: 'bearer',
  rest: { method: 'POST', path: '/evidence' },
  quotas: [
    { per: 'token', count: 20, seconds: 60 },
    { per: 'block', count: 60, seconds: 60 },
  ],
  input: z.object({ text: JobText }),
  output: z
    .object({
      requirements: z.array(
        z.object({
          text: z.string().meta({ description: 'A requirement, in the words of the job' }),
          evidence: z.array(Evidence).meta({ description: 'In the order of the profile; empty if nothing is stated' }),
        }),
      ),
    })
    .meta({ id: 'FoundEvidence' }),
  handle: async ({ text }, { profile }) => {
    // Loaded at the first call: the catalogue is also part of commands and of the client.
    const [{ requirementsOf }, { openEvidenceIndex }] = await Promise.all([
      import('./evidence/requirements.ts'),
      import('./evidence/evidence-index.ts'),
    ]);
    const requirements = requirementsOf(text);
    const evidence = openEvidenceIndex(profile)(requirements);
    return { requirements: requirements.map((each, at) => ({ text: each, evidence: evidence[at]! })) };
  },
});
