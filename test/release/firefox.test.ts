import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { printLink } from '../support/desk.ts';
import { openFirefox } from '../support/firefox.ts';
import { eventually } from '../support/process.ts';
import { openServed } from '../web/served.ts';

const title = 'Your title';

test('in Firefox a title and lines are typed, split, joined, undone and published', async (t) => {
  const service = await openServed(t);
  const before = service.text();
  const { goto, find, click, type, press, evaluate } = await openFirefox(t);
  const focused = () => evaluate('document.activeElement.textContent');
  const shown = (text: string) => eventually(async () => (await focused()) === text);
  await goto((await printLink(service.opened, '/desk/profile')).url);
  await click('button', 'Sign in');
  await find('textbox', title);
  await click('textbox', title);
  await press('End');
  await type(' of storage');
  await shown('Staff Software Engineer, Distributed Systems of storage');

  await click('textbox', 'Line 1 of Staff Software Engineer');
  const first = String(await focused());
  // The text has two rows.
  await press('Control+End');
  await press('End');
  await type(', in **two** years');
  await press('Enter');
  await type('- Wrote it down');
  await shown('Wrote it down');
  await press('Enter');
  await type('Told towns');
  await press('Home');
  await press('Backspace');
  await type('. ');
  await shown('Wrote it down. Told towns');
  await press('Enter');
  await shown('Told towns');
  await press('Control+z');
  await shown('Wrote it down. Told towns');

  await click('button', 'Publish 3 changes');
  assert.equal(service.text(), before);
  await click('button', 'Publish');
  await find('heading', 'Published');
  const linesOf = (text: string) => parse(text).experience[0].roles[0].accomplishments;
  assert.equal(parse(service.text()).candidate.title, 'Staff Software Engineer, Distributed Systems of storage');
  assert.deepEqual(linesOf(service.text()), [
    `${first}, in **two** years`,
    'Wrote it down. Told towns',
    ...linesOf(before).slice(1),
  ]);
});
