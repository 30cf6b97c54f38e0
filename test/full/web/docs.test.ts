import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { byAddress } from '../../../src/model/visitor.ts';
import { samplePath } from '../../../src/service/config/config.ts';
import { axeFaults, openBrowser } from '../../support/browser.ts';
import { eventually } from '../../support/process.ts';
import { openServed } from '../../web/served.ts';
import { getAccess, getTokenOfDocs, showToken } from '../../web/steps.ts';

const ownProfile = join(samplePath, '../every-section.yaml');
const service = await openServed({ after }, { document: readFileSync(ownProfile, 'utf8') });
const { openTab } = await openBrowser({ after });

/** The texts that only the sample has: the name, companies, projects and ids. */
const ofSample = /Vasquez|Confluent|Dropbox|raft.lab|exp_confluent/i;
const examplesOf = (page: Page) => page.locator('.example').allTextContents();
const whose = (page: Page) => page.locator('#whose').textContent();
const idOf = (page: Page, operation: string) => page.locator(`#${operation}-try-id`).inputValue();

/** Waits until the examples are of the profile that is served. */
const seeOwn = (page: Page) => page.getByText('Examples are of this profile.').waitFor();

/** Shows the profile that is served in the examples, with the token of a visit. */
async function showOwn(page: Page) {
  await page.getByRole('button', { name: 'Show this profile' }).click();
  await seeOwn(page);
}

suite('without a token', () => {
  test('the examples are of the sample, and say so; calling one leads to a token', async (t) => {
    const page = await openTab(t, service.url);
    await page.goto('/docs');
    assert.equal(await whose(page), 'Examples are of a sample profile.');
    const labels = page.locator('.answer > .status .soft');
    assert.deepEqual([...new Set(await labels.allTextContents())], ['the sample profile’s answer', 'an example']);
    assert.equal(await idOf(page, 'get_project'), 'proj_raft_lab');
    assert.doesNotMatch((await examplesOf(page)).join(), /watergauge|floodmap/i);
  });

  test('without JavaScript all is there but what needs it', async (t) => {
    const page = await openTab(t, service.url, { javaScriptEnabled: false });
    for (const path of ['/docs', '/docs/mcp']) {
      await page.goto(path);
      assert.equal(await page.locator('form.try >> visible=true').count(), 0);
      assert.equal(
        await page.locator('main section >> visible=true').count(),
        await page.locator('main section').count(),
      );
    }
    await page.getByText('Cursor', { exact: true }).click();
    assert.equal(await page.locator('.panel >> visible=true').count(), 1);
    assert.match((await page.locator('.panel >> visible=true').textContent())!, /\.cursor\/mcp\.json/);
  });
});

suite('with a token', () => {
  test('every example, id and call is of the profile that is served, says the page, until a reload', async (t) => {
    const page = await openTab(t, service.url);
    await getTokenOfDocs(page);
    await seeOwn(page);
    const examples = (await examplesOf(page)).join();
    assert.doesNotMatch(examples, ofSample);
    assert.doesNotMatch(examples, /\$TOKEN/);
    const reads = page.locator('.answer[data-target] > .status');
    for (const text of await reads.allTextContents()) assert.equal(text, '200 OK this profile’s answer');
    assert.ok((await reads.count()) >= 9);
    for (const [operation, id] of [
      ['get_experience', 'exp_watergauge'],
      ['get_project', 'proj_floodmap'],
    ] as const) {
      assert.equal(await idOf(page, operation), id);
      for (const way of ['curl', 'typescript', 'mcp'])
        assert.match((await page.locator(`#${operation}-${way}-code`).textContent())!, new RegExp(`\\b${id}\\b`), way);
      await page.locator(`form[data-answer=${operation}-shown] button`).click();
      const answer = page.locator(`#${operation}-shown`);
      await answer.getByText(/· \d+ ms ·/).waitFor();
      assert.match((await answer.textContent())!, new RegExp(`^200 OK GET /\\w+/${id} .*"id": "${id}"`));
    }
    const other = page.locator('#list_experience-shown details', { hasText: 'GET /experience?current=false' });
    await other.locator('summary').first().click();
    await other.getByText('"River Institute"').waitFor();
    await page.locator('#get_experience-try-id').fill('exp_institute');
    await page.locator('form[data-answer=get_experience-shown] button').click();
    const tried = page.locator('#get_experience-shown');
    await tried.getByText('"River Institute"').waitFor();
    assert.match((await tried.textContent())!, /200 OK GET \/experience\/exp_institute/);
    assert.deepEqual(await axeFaults(page), []);
    await page.reload();
    assert.equal(await whose(page), 'Examples are of a sample profile.');
  });

  test('that of a visit is used as long as the profile is open in the browser, on the page of MCP, too', async (t) => {
    const page = await openTab(t, service.url);
    await getAccess(page);
    await page.goto('/docs');
    await showOwn(page);
    assert.equal(await idOf(page, 'get_project'), 'proj_floodmap');
    // Not shown in code before the visitor has asked to see it.
    assert.match((await page.locator('#get_project-curl-code').textContent())!, /Bearer \$TOKEN/);
    assert.doesNotMatch(await page.content(), /eyJ[\w-]+\.eyJ/);
    await page.goto('/docs/mcp');
    await showOwn(page);
    assert.match((await page.locator('main').textContent())!, /Put your token in place of \$TOKEN/);
    assert.match((await page.locator('#tool-get_project-request').textContent())!, /"id": "proj_floodmap"/);
    assert.match((await page.locator('#tool-get_project-shown').textContent())!, /this profile’s answer.*Floodmap/);
    await page.goto('/');
    const token = await showToken(page);
    await page.goto('/docs/mcp');
    await page.getByText('Your token is in these lines already.').waitFor();
    assert.ok((await page.locator('main').textContent())!.includes(`Bearer ${token}`));
    assert.equal(await page.getByText('in place of').count(), 0);
    await page.goto('/docs');
    await showOwn(page);
    assert.ok((await page.locator('#get_project-curl-code').textContent())!.includes(`Bearer ${token}`));
    await page.getByRole('button', { name: 'Forget it' }).click();
    assert.equal(await whose(page), 'Examples are of a sample profile.');
    assert.doesNotMatch((await examplesOf(page)).join(), /watergauge|floodmap|eyJ[\w-]+\.[\w-]{50}/i);
    assert.equal(await idOf(page, 'get_project'), 'proj_raft_lab');
    await page.goto('/');
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.goto('/docs');
    assert.equal(await whose(page), 'Examples are of a sample profile.');
  });

  test('with the token of a visit nothing is read before the first call, which reads the served profile', async (t) => {
    const page = await openTab(t, service.url);
    await getAccess(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Show this profile' }).waitFor();
    const reads = () => asked.filter((path) => /^\/(candidate|experience|projects)/.test(path));
    assert.deepEqual(reads(), []);
    await page.locator('form[data-answer=get_project-shown] button').click();
    await page.locator('#get_project-shown').getByText('proj_floodmap').first().waitFor();
    assert.ok(reads().includes('/projects/proj_floodmap'));
    await seeOwn(page);
  });

  test('one that was revoked while the page was open is dropped, and the page says why', async (t) => {
    const page = await openTab(t, service.url, { expectedStatuses: [401] });
    await getTokenOfDocs(page);
    await seeOwn(page);
    await service.opened.tokens.revoke({ kind: 'subject', subject: byAddress('ada@example.org') });
    const why = 'Your token does not work any more: it has expired or was revoked. Examples are of a sample profile.';
    const call = page.locator('form[data-answer=get_candidate-shown] button');
    await eventually(async () => {
      await call.click();
      await page
        .locator('#get_candidate-shown')
        .getByText(/ · \d+ ms ·/)
        .waitFor();
      return (await whose(page)) === why;
    });
    assert.doesNotMatch((await examplesOf(page)).join(), /watergauge|floodmap/i);
    assert.match((await page.locator('#get_candidate-shown').textContent())!, /^401 Unauthorized .* Get a token first/);
    await page.reload();
    const labels = page.locator('.answer > .status .soft');
    assert.deepEqual([...new Set(await labels.allTextContents())], ['the sample profile’s answer', 'an example']);
  });
});

suite('profiles that lack what the sample has', () => {
  const profile = parse(readFileSync(ownProfile, 'utf8'));
  const past = profile.experience.slice(1);
  const candidate = { ...profile.candidate, summary: 'turned \u202e round' };
  const document = JSON.stringify({ ...profile, candidate, experience: past, projects: [], background: false });

  test('between jobs the list of all is shown, and an operation without an entry says so', async (t) => {
    const own = await openServed(t, { document });
    const page = await openTab(t, own.url);
    await getTokenOfDocs(page);
    await seeOwn(page);
    const list = page.locator('#list_experience-shown');
    assert.match((await list.textContent())!, /^200 OK this profile’s answer\[\]/);
    await list.locator('details[open]', { hasText: 'GET /experience' }).getByText('"River Institute"').waitFor();
    assert.equal(await idOf(page, 'get_experience'), 'exp_institute');
    assert.equal(await page.locator('#get_project-shown').textContent(), 'No entry this profile lists none');
    assert.equal(await idOf(page, 'get_project'), '');
    assert.match((await page.locator('#get_candidate-shown').textContent())!, /"turned \\u202e round"/);
    assert.doesNotMatch((await examplesOf(page)).join(), ofSample);
  });
});

test('nothing scrolls within a page of the reference: panels are as long as what they hold', async (t) => {
  const page = await openTab(t, service.url, { viewport: { width: 1440, height: 900 } });
  for (const path of ['/docs', '/docs/mcp', '/docs/client']) {
    await page.goto(path);
    const scrolled = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
        .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
        .map(({ className, scrollHeight }) => `${className} ${scrollHeight}`),
    );
    assert.deepEqual(scrolled, [], path);
  }
});

test('an example that is taller than the window is seen to its end', async (t) => {
  const page = await openTab(t, service.url, { viewport: { width: 1440, height: 600 } });
  await page.goto('/docs#get_resume');
  await page.locator('#get_resume-shown details').last().scrollIntoViewIfNeeded();
  const box = await page.locator('#get_resume-shown details').last().boundingBox();
  assert.ok(box!.y > 0 && box!.y + box!.height <= 600, JSON.stringify(box));
});

test('the way to call an operation is kept for all operations and on the next visit', async (t) => {
  const page = await openTab(t, service.url);
  await page.goto('/docs');
  await page.locator('.tabs').first().getByText('curl', { exact: true }).click();
  for (const visit of ['at once', 'later']) {
    const values = await page
      .locator('.tabs input:checked')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    assert.deepEqual([...new Set(values)], ['curl'], visit);
    await page.reload();
  }
});
