import { type CallToolResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { openAssistant } from '../support/assistant.ts';
import { clientOf } from '../support/mcp-service.ts';
import type { State } from './states.ts';

type Shown = Awaited<ReturnType<typeof openAssistant>>;

/** The card of a tool in an assistant that is light or dark as the browser is, after what it shows. */
const card = (name: string, tool: string, shows: string, act: (shown: Shown) => Promise<unknown>): State => ({
  name,
  shows,
  async open(page, service) {
    const client = clientOf('modern');
    const requestInit = { headers: { authorization: `Bearer ${await service.token()}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    await act(await openAssistant(page, client, tool, { context: { theme: await themeOf(page) }, refusesLinks: true }));
  },
});

const themeOf = async (page: Page): Promise<'light' | 'dark'> =>
  (await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)) ? 'dark' : 'light';

const resultOf = (data: unknown): CallToolResult => ({ content: [], structuredContent: { data } });

const rightToLeft = {
  name: 'דנה לוי',
  title: 'מהנדסת תוכנה',
  experience: [
    {
      company: 'מערכות אחסון',
      company_start_date: '2018-03-01',
      company_end_date: null,
      current: true,
      roles: [
        {
          title: 'ראש צוות',
          start_date: '2021-01-01',
          end_date: null,
          accomplishments: ['הקמתי צוות של שישה', 'כתבתי מחדש את שכבת האחסון ב-C++ וב-Rust'],
        },
        { title: 'מהנדסת תוכנה', start_date: '2018-03-01', end_date: '2020-12-31', accomplishments: ['PostgreSQL'] },
      ],
    },
  ],
  skills: ['PostgreSQL', 'C++', 'אחסון מבוזר'],
};

const job = (index: number) => ({
  company: `Company ${index}`,
  company_start_date: `${2025 - index}-01-01`,
  company_end_date: `${2025 - index}-12-31`,
  current: false,
  summary: 'Storage.',
  roles: [],
});

const busy = { error: { code: 'RATE_LIMITED', message: 'Too many requests. Try again in 9 seconds.' } };

/** The states of the card that an assistant shows for three tools. */
export const cardStates: readonly State[] = [
  card('card', 'get_candidate', 'The card of `get_candidate`.', ({ call }) => call()),
  card('card-waiting', 'get_candidate', 'The card until the tool has answered.', async () => {}),
  card('card-resume', 'get_resume', 'The card of `get_resume`.', ({ call }) => call()),
  card('card-pdf', 'get_resume', 'The card of a link to the PDF.', ({ call }) => call({ format: 'pdf' })),
  card(
    'card-experience',
    'list_experience',
    'The card of `list_experience`, with the jobs that are over.',
    ({ call }) => call({ current: false }),
  ),
  card(
    'card-many',
    'list_experience',
    'Of many jobs three are shown, and the others when they are asked for.',
    ({ send }) => send(resultOf(Array.from({ length: 40 }, (_, index) => job(index)))),
  ),
  card('card-nothing', 'list_experience', 'The card of an experience without entries.', ({ send }) =>
    send(resultOf([]), { current: true }),
  ),
  card('card-right-to-left', 'get_resume', 'A resume that is read from right to left.', ({ send }) =>
    send(resultOf(rightToLeft)),
  ),
  card('card-failed', 'get_candidate', 'The card of a tool that failed.', ({ send }) =>
    send({ isError: true, content: [{ type: 'text', text: JSON.stringify(busy) }] }),
  ),
  card('card-link-refused', 'get_candidate', 'A link that the assistant does not open is shown.', async (shown) => {
    await shown.call();
    await shown.card.getByRole('link', { name: 'Write' }).click();
    await shown.card.getByText('did not open').waitFor();
  }),
];
