import { z } from 'zod';
import { operation } from './operation.ts';

/** The number of reads shown: enough to see what is recorded, few enough to ask for often. */
const shownReads = 200;

const RecordedRead = z.object({
  operation: z.string().meta({
    description: 'The operation that was called; on the page of the profile, page, pdf or docx for what was opened',
  }),
  item: z
    .string()
    .nullable()
    .meta({ description: 'The id of the entry that was read, or the file, pdf or docx; null if neither' }),
  surface: z.string().meta({ description: 'How it was called, such as rest, mcp or web' }),
  client: z
    .string()
    .nullable()
    .meta({ description: 'The program that called, as it calls itself; null if it did not' }),
  read_at: z.iso.datetime().meta({ description: 'When' }),
});

export const getMyReads = operation({
  name: 'get_my_reads',
  title: 'Get my reads',
  summary: 'What was read with this token, as the candidate sees it.',
  description: `Use it to see what is recorded of this token, for the candidate to see: which operation was called, when and by which program. Returns the latest ${shownReads} reads, the latest first, and how many there are; a read is recorded within about a second. It tells nothing of other tokens of the same address, because a token proves no identity.`,
  kind: 'own',
  access: 'bearer',
  rest: { method: 'GET', path: '/me' },
  input: z.object({}),
  output: z
    .object({
      is_recorded: z.boolean().meta({ description: 'Whether it is recorded what visitors read' }),
      kept_seconds: z.int().nonnegative().meta({ description: 'How long a read is kept' }),
      erased_at: z.iso.datetime().nullable().meta({
        description: 'When the record of this token was erased last with it; null if never. The candidate sees it, too',
      }),
      total: z.int().nonnegative().meta({ description: 'How many reads are recorded of this token' }),
      reads: z.array(RecordedRead).meta({ description: `The latest ${shownReads} of them, the latest first` }),
    })
    .meta({ id: 'MyReads' }),
  handle: async (_input, { reads: record }, token) => {
    const { total, reads, erasedAt } = await record.recordOf(token, shownReads);
    return {
      is_recorded: record.isOn,
      kept_seconds: record.keepSeconds,
      erased_at: erasedAt?.toISOString() ?? null,
      total,
      reads: reads.map(({ readAt, ...read }) => ({ ...read, read_at: readAt.toISOString() })),
    };
  },
});

export type OwnRecord = z.output<typeof getMyReads.output>;

export const eraseMyReads = operation({
  name: 'erase_my_reads',
  title: 'Erase my reads',
  summary: 'Erases what was read with this token from the record.',
  description:
    'Use it to erase what is recorded of this token, and of no other token. The candidate is shown when that was done. What is read later is recorded again.',
  kind: 'own',
  access: 'bearer',
  rest: { method: 'DELETE', path: '/me', status: 204 },
  quotas: [{ per: 'token', count: 10, seconds: 3_600 }],
  input: z.object({}),
  output: z.null(),
  handle: async (_input, { reads: record }, token) => {
    await record.erase(token);
    return null;
  },
});
