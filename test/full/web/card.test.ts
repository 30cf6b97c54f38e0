import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { BrowserContextOptions } from 'playwright-core';
import { toRuns } from 'resume-profile/prose';
import { samplePath } from '../../../src/service/config/config.ts';
import { type HostContext, openAssistant } from '../../support/assistant.ts';
import { axeFaults, openBrowser, sidewaysScroll } from '../../support/browser.ts';
import type { Cleanup } from '../../support/files.ts';
import { openUntilEnd } from '../../support/pages.ts';

const { browser } = await openBrowser({ after });

/** Connects a client to a service in this process. */
async function connect(t: Cleanup, env: Record<string, string> = {}): Promise<Client> {
  const service = await openUntilEnd(t, { BASE_URL: 'https://profile.example', ...env });
  const client = new Client({ name: 'assistant', version: '1' });
  const fetch = (url: string | URL, init?: RequestInit) => service.send(new Request(url, init));
  const headers = { authorization: `Bearer ${service.token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('https://profile.example/mcp'), { fetch, requestInit: { headers } }),
  );
  return client;
}

const client = await connect({ after });

/** Opens an assistant in a tab in which nothing may log an error. */
async function open(
  t: Cleanup,
  tool: string,
  {
    tab = {},
    from = client,
    ...options
  }: { tab?: BrowserContextOptions; from?: Client } & Parameters<typeof openAssistant>[3] = {},
) {
  const context = await browser.newContext({ viewport: { width: 720, height: 800 }, ...tab });
  const faults: string[] = [];
  context.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  context.on('weberror', (error) => void faults.push(String(error.error())));
  t.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  const page = await context.newPage();
  return { page, ...(await openAssistant(page, from, tool, options)) };
}

const job = (index: number) => ({
  company: `Company ${index}`,
  company_start_date: '2010-01-01',
  company_end_date: '2011-01-01',
  current: false,
  roles: [{ title: 'Engineer', start_date: '2010-01-01', end_date: '2011-01-01', accomplishments: ['Wrote it'] }],
});

const resume = { name: 'Ada', title: '', experience: [] as ReturnType<typeof job>[], skills: [] as string[] };

const resultOf = (data: unknown) => ({ content: [], structuredContent: { data } });

const failure = {
  isError: true,
  content: [
    {
      type: 'text' as const,
      text: '{"error":{"code":"RATE_LIMITED","message":"Too many requests. Try again in 9 s."}}',
    },
  ],
};

/** Joins neighbours with the same marks, such as those around the signs of C++. */
function joinRuns(runs: readonly object[]): object[] {
  const joined: { text: string }[] = [];
  for (const { text, ...marks } of runs as { text: string }[]) {
    const last = joined.at(-1);
    const isSame =
      last !== undefined && JSON.stringify({ ...last, text: '' }) === JSON.stringify({ ...marks, text: '' });
    if (isSame) last.text += text;
    else if (text !== '') joined.push({ ...marks, text });
  }
  return joined;
}

/** Colours of an assistant that has its own. */
const styled = (theme: 'light' | 'dark'): HostContext => ({
  theme,
  styles: {
    variables: {
      '--font-sans': 'Helvetica, sans-serif',
      '--color-background-primary': 'light-dark(#ffffff, #30302e)',
      '--color-text-primary': 'light-dark(#141413, #faf9f5)',
      '--color-text-secondary': 'light-dark(#3d3d3a, #c2c0b6)',
      '--color-border-primary': 'light-dark(#1f1e1d66, #dedcd166)',
    } as NonNullable<NonNullable<HostContext['styles']>['variables']>,
  },
});

describe('in an assistant', () => {
  test('the card is one document below 40 KB, without anything of a profile, that declares no domains', async (t) => {
    const { contents } = await client.readResource({ uri: 'ui://candidate-profile/card' });
    const [{ text, ...content }] = contents as unknown as [{ text: string }];
    assert.deepEqual(content, {
      uri: 'ui://candidate-profile/card',
      mimeType: 'text/html;profile=mcp-app',
      _meta: {
        ui: {
          csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
          prefersBorder: true,
        },
      },
    });
    assert.ok(Buffer.byteLength(text) < 40_000, `${Buffer.byteLength(text)} bytes`);
    assert.doesNotMatch(text, /innerHTML|\son[a-z]+="|eval\(|fetch\(/);
    const other = await connect(t, { PROFILE: samplePath });
    assert.deepEqual((await other.readResource({ uri: 'ui://candidate-profile/card' })).contents, contents);
  });

  test('the card says that it waits, then shows the candidate', async (t) => {
    const { card, call, requests } = await open(t, 'get_candidate');
    await card.getByText('The profile appears here when the tool has answered.').waitFor();
    assert.equal(await card.locator('footer').isVisible(), false);
    await call();
    assert.equal(
      await card.locator('main').innerText(),
      'Tess Example\n\nSoftware Engineer\n\nLisbon, Portugal · 12 years of experience\n\nBuilds things that last.\n\nDomains: Storage, Streaming',
    );
    assert.deepEqual(requests, ['https://assistant.example/', 'https://sandbox.example/']);
  });

  test('the card shows the experience, and says which part of it was asked for', async (t) => {
    const { card, call } = await open(t, 'list_experience');
    await call({ current: true });
    assert.equal(await card.getByRole('heading', { level: 1 }).innerText(), 'Current experience');
    await call({ current: false });
    assert.equal(await card.getByRole('heading', { level: 1 }).innerText(), 'Past experience');
    await call();
    assert.equal(await card.getByRole('heading', { level: 1 }).innerText(), 'Experience');
    assert.match(await card.locator('article').first().innerText(), /present/);
  });

  test('the buttons open the page, its form and the PDF through the assistant, and send nothing', async (t) => {
    const { card, call, opened } = await open(t, 'get_candidate');
    await call();
    await card.getByRole('link', { name: 'Open page' }).click();
    await card.getByRole('link', { name: 'Write' }).click();
    const button = card.getByRole('button', { name: 'Download PDF' });
    await button.click();
    await card.locator('button:enabled').waitFor();
    assert.deepEqual(opened.slice(0, 2), ['https://profile.example/', 'https://profile.example/#write']);
    assert.match(opened[2]!, /^https:\/\/profile\.example\/files\/resume\.pdf\?/);
    assert.equal(opened.length, 3);
  });

  test('an assistant that cannot call tools gets a button only for a PDF that it has a link to', async (t) => {
    const { card, call, send, opened } = await open(t, 'get_candidate', { capabilities: { openLinks: {} } });
    await call();
    assert.equal(await card.getByRole('link', { name: 'Open page' }).isVisible(), true);
    assert.equal(await card.getByText('Download PDF').isVisible(), false);
    await send(resultOf({ url: 'https://profile.example/files/a.pdf' }));
    await card.getByRole('button', { name: 'Download PDF' }).click();
    await card.locator('button:enabled').waitFor();
    assert.deepEqual(opened, ['https://profile.example/files/a.pdf']);
  });

  test('a PDF on the machine of the server is named, and no address but of the web is opened', async (t) => {
    for (const url of ['file:///home/grace/resume.pdf', 'javascript:alert(1)']) {
      const { card, send, opened } = await open(t, 'get_resume');
      await send(resultOf({ url }));
      await card.getByText(`The file is at ${url}`).waitFor();
      assert.equal(await card.getByText('Download PDF').isVisible(), false);
      assert.deepEqual(opened, []);
    }
  });

  test('the card says why a tool failed or was cancelled, and what it cannot read, and answers its teardown', async (t) => {
    const { page, card, send } = await open(t, 'get_resume');
    const shown = () => card.locator('main').innerText();
    await send(failure);
    assert.equal(await shown(), 'The profile could not be read\n\nToo many requests. Try again in 9 s.');
    await send(resultOf('text'));
    assert.equal(await shown(), 'The profile could not be read');
    await page.evaluate(() => globalThis.bridge.sendToolCancelled({ reason: 'The user stopped it.' }));
    await card.getByText('The call was cancelled').waitFor();
    assert.equal(await card.getByRole('link', { name: 'Open page' }).isVisible(), true);
    assert.deepEqual(await page.evaluate(() => globalThis.bridge.teardownResource({})), {});
  });

  test('empty sections leave nothing behind, and an experience without entries says so', async (t) => {
    const { card, send } = await open(t, 'get_resume');
    await send(resultOf({ ...resume, name: '' }));
    assert.equal(await card.locator('main').innerText(), 'The candidate');
    const unnamed = { ...job(1), company: '', roles: [{ ...job(1).roles[0]!, title: '', end_date: null }] };
    await send(resultOf([unnamed]));
    assert.equal(await card.locator('main').innerText(), 'Experience\n\n2010 – 2011\n\n2010 – present\n\nWrote it');
    assert.equal(await card.locator('h2, h3').count(), 0);
    const ofYear = { ...unnamed, company_end_date: '2010-12-31', roles: [] };
    await send(resultOf([ofYear]));
    assert.equal(await card.locator('main').innerText(), 'Experience\n\n2010');
    await send(resultOf([]), { current: false });
    assert.equal(await card.locator('main').innerText(), 'Past experience\n\nThe profile lists no past experience.');
  });

  test('of forty jobs three are shown, and the others when they are asked for', async (t) => {
    const { page, card, send } = await open(t, 'list_experience');
    await send(resultOf(Array.from({ length: 40 }, (_, index) => job(index))));
    assert.equal(await card.getByRole('article').count(), 3);
    const height = async () => (await page.locator('iframe').boundingBox())!.height;
    const before = await height();
    await card.getByText('37 more').click();
    assert.equal(await card.getByRole('article').count(), 40);
    await page.waitForFunction((least) => document.querySelector('iframe')!.offsetHeight > least, before + 1_000);
  });

  test('markup in a profile is text', async (t) => {
    const { card, send } = await open(t, 'get_resume');
    const name = '<img src=x onerror=alert(1)><b>Grace</b>';
    await send(resultOf({ ...resume, name, skills: ['</script><i>C</i>'] }));
    assert.equal(await card.getByRole('heading', { level: 1 }).innerText(), name);
    assert.equal(await card.locator('img, b, i').count(), 0);
  });

  test('marks of prose are set as the page sets them, those in a name are shown as written', async (t) => {
    const { card, send } = await open(t, 'get_resume', { refusesLinks: true });
    const texts = [
      'Models how **rivers flood**, and tells towns *in time*; wrote [`floodgauge`](https://github.com/a/floodgauge).',
      'A great year, # of users, AT&amp;T, 2 * 3 * 4, snake_case_name and a*b stay as they are.',
      'In C:\\* and C:\\[a]',
      '*Not \\* closed, a \\*kept\\* and a *set* one, **5\\* of [5\\*](https://a.example)**',
      'Published [three papers](https://papers.example/flood?a=1&amp;b=2_(c)) about **Rust**',
      'Costs a third of the **old one**, 5\\* of five, in **C++**',
      '***Both*** at once, *weak **and strong** again*, **strong *and weak***',
      'Wrote to [**the** towns](mailto:towns@watergauge.example), not [here](javascript:alert(1)) or ![there](https://a.example)',
      '`**code**`, **not closed, ** apart ** and *',
      '<b>bold</b> **<i>**',
    ];
    const [role] = job(1).roles;
    const summary = 'Looks for:\n- work on **warnings**\n- a team';
    const experience = [{ ...job(1), company: '**Bold** AB', summary, roles: [{ ...role!, accomplishments: texts }] }];
    await send(resultOf({ ...resume, experience }));
    assert.equal(await card.getByRole('heading', { level: 3 }).innerText(), 'Engineer, **Bold** AB');
    await card.getByText('Looks for: • work on warnings • a team').waitFor();
    const set = await card.locator('li').evaluateAll((items) =>
      items.map((item) => {
        const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
        const runs: object[] = [];
        while (walker.nextNode()) {
          const { parentElement: parent, data: text } = walker.currentNode as Text;
          const url = parent!.closest('a')?.getAttribute('href');
          runs.push({
            text,
            ...(parent!.closest('strong') && { isStrong: true }),
            ...(parent!.closest('em') && { isEmphasis: true }),
            ...(parent!.closest('code') && { isCode: true }),
            ...(url && { url }),
          });
        }
        return runs;
      }),
    );
    assert.deepEqual(
      set.map(joinRuns),
      texts.map((text) => joinRuns(toRuns(text))),
    );
    await card.getByRole('link', { name: 'three papers' }).click();
    await card.getByText('This program did not open https://papers.example/flood?a=1&amp;b=2_(c)').waitFor();
  });

  test('a profile in Arabic runs from right to left', async (t) => {
    const { frame, card, send } = await open(t, 'get_resume');
    await send(resultOf({ ...resume, name: 'ليلى الخطيب', experience: [job(1)] }));
    assert.equal(await frame().evaluate(() => document.documentElement.dir), 'rtl');
    await send(resultOf({ ...resume, name: 'ليلى', title: 'مهندسة C++ أولى' }));
    assert.equal(await card.locator('.title bdi').innerText(), 'C++');
    await send(resultOf({ ...resume, name: 'ليلى', title: 'Engineer' }));
    assert.equal(await card.locator('.title').evaluate((it) => getComputedStyle(it).textAlign), 'right');
  });

  test('the card takes font and colours of the assistant, and follows when it turns dark', async (t) => {
    const { page, frame, call } = await open(t, 'get_candidate', { context: styled('light') });
    await call();
    const look = () =>
      frame().evaluate(() => {
        const { backgroundColor, color, fontFamily } = getComputedStyle(document.documentElement);
        return [backgroundColor, color, fontFamily];
      });
    assert.deepEqual(await look(), ['rgb(255, 255, 255)', 'rgb(20, 20, 19)', 'Helvetica, sans-serif']);
    await page.evaluate(() => globalThis.bridge.sendHostContextChange({ theme: 'dark' }));
    await frame().waitForFunction(() => document.documentElement.style.colorScheme === 'dark');
    assert.deepEqual(await look(), ['rgb(48, 48, 46)', 'rgb(250, 249, 245)', 'Helvetica, sans-serif']);
  });

  test('if the assistant has only some of the colours, the card keeps its own', async (t) => {
    const variables = { '--color-background-primary': '#000000' };
    const context = { theme: 'light', styles: { variables } } as HostContext;
    const { frame, call } = await open(t, 'get_candidate', { context });
    await call();
    const background = await frame().evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(background, 'rgb(252, 251, 248)');
  });

  for (const theme of ['light', 'dark'] as const)
    for (const [colours, context] of [
      ['its own colours', { theme }],
      ['those of the assistant', styled(theme)],
    ] as const)
      test(`axe finds nothing wrong in any state of the card, ${theme}, in ${colours}`, async (t) => {
        const { frame, call, send, card } = await open(t, 'get_resume', { context, refusesLinks: true });
        const check = async () => assert.deepEqual(await axeFaults(frame()), []);
        await check();
        await call();
        await card.getByRole('link', { name: 'Open page' }).click();
        await card.getByText('This program did not open').waitFor();
        await check();
        await call({ format: 'pdf' });
        await check();
        await send((await client.callTool({ name: 'get_candidate' })) as typeof failure);
        await check();
        const summary = 'A [link](https://a.example), **strong**, and `code`';
        const jobs = Array.from({ length: 5 }, (_, index) => ({ ...job(index), summary }));
        await send(resultOf(jobs));
        await card.getByText('2 more').click();
        await check();
        await send(failure);
        await check();
      });

  test('at 320 pixels nothing is wider than the card, also a text without a space', async (t) => {
    const { frame, send } = await open(t, 'get_resume', { tab: { viewport: { width: 320, height: 600 } } });
    const word = 'x'.repeat(300);
    const experience = [
      { ...job(1), company: word, roles: [{ ...job(1).roles[0]!, title: word, accomplishments: [word] }] },
    ];
    await send(resultOf({ name: word, title: word, experience, skills: [word] }));
    assert.equal(await sidewaysScroll(frame()), 0);
  });

  test('the texts of a profile stand in the order in which a screen reader reads them', async (t) => {
    const { card, call } = await open(t, 'get_candidate');
    await call();
    assert.equal(
      await card.locator('body').ariaSnapshot(),
      `- main:
  - heading "Tess Example" [level=1]
  - paragraph: Software Engineer
  - paragraph: Lisbon, Portugal · 12 years of experience
  - paragraph: Builds things that last.
  - paragraph:
    - strong: "Domains:"
    - text: Storage, Streaming
- contentinfo:
  - paragraph:
    - button "Download PDF"
    - link "Open page":
      - /url: https://profile.example/
    - link "Write":
      - /url: https://profile.example/#write
  - status`,
    );
  });
});
