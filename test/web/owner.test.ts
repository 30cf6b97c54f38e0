import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { withoutMetadata } from 'resume-documents/pdf/photo';
import { openBrowser, sidewaysScroll } from '../support/browser.ts';
import { exifOf, jpegOf, segmentOf, withSegments } from '../support/images.ts';
import { postJson } from '../support/post-json.ts';
import { askForLink, signIn } from './steps.ts';
import { openOwnService } from './visits.ts';

const service = await openOwnService({ after });
const { inbox, profile } = service;
const { openTab } = await openBrowser({ after });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusOverRest = async (token: string) =>
  (await fetch(`${service.url}/experience`, { headers: bearer(token) })).status;
const statusOverMcp = async (token: string) => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_experience', arguments: {} } };
  const accept = { accept: 'application/json, text/event-stream' };
  return (await fetch(`${service.url}/mcp`, postJson(call, { ...bearer(token), ...accept }))).status;
};

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('the owner comes from a mailed link to who read, and ends a token, which then fails over REST and MCP', async (t) => {
      const reader = `reader-${javaScriptEnabled}@example.org`;
      const token = await service.token(reader);
      assert.deepEqual([await statusOverRest(token), await statusOverMcp(token)], [200, 200]);

      const page = await openTab(t, service.url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.getByRole('link', { name: 'Readers', exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: reader });
      await row.getByText('Revoke', { exact: true }).click();
      await row.getByText(`Ends the valid token of ${reader}.`).waitFor();
      await row.getByRole('button', { name: 'Revoke the token' }).click();
      await page.getByText('Ended 1 token. Requests with it are refused from now on.').waitFor();
      assert.deepEqual([await statusOverRest(token), await statusOverMcp(token)], [401, 401]);
    });

    test('the owner reads a message, opens a reply with the quote in the mail program, and keeps that', async (t) => {
      const contact = { name: 'Ada Example', email: 'ada@example.org', company: 'Engines', message: 'Shall we talk?' };
      const token = await service.token();
      await fetch(`${service.url}/contact`, postJson(contact, bearer(token)));
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.getByText('Shall we talk?').first().waitFor();
      await page.getByRole('link', { name: 'Inbox' }).click();
      await page.getByRole('link', { name: 'Ada Example' }).first().click();
      const reply = await page
        .getByRole('link', { name: 'Write it in your mail program instead' })
        .getAttribute('href');
      assert.match(decodeURIComponent(reply!), /^mailto:ada@example\.org\?.*> Shall we talk\?/s);
      await page.getByRole('button', { name: 'Mark as replied' }).click();
      await page.getByText('You replied').waitFor();
    });

    test('a changed availability is what visitors read at once, and the only change in the file', async (t) => {
      const before = readFileSync(profile, 'utf8');
      const status = `open in ${javaScriptEnabled ? 'spring' : 'autumn'}`;
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.getByRole('link', { name: 'Change it' }).click();
      await page.getByLabel('Whether you can be approached').fill(status);
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('Published.').waitFor();
      const response = await fetch(`${service.url}/availability`, { headers: bearer(await service.token()) });
      assert.deepEqual(await response.json(), { status });
      const line = /^( +status: ).*$/m;
      assert.equal(readFileSync(profile, 'utf8').replace(line, '$1'), before.replace(line, '$1'));
    });

    test('a photo is uploaded, seen in a draft, published and taken out again', async (t) => {
      const before = readFileSync(profile, 'utf8');
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.goto('/desk/profile/edit/photo');
      const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: jpegOf('photo') };
      await page.getByLabel('drop it here').setInputFiles(file);
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText('Saved as a draft').waitFor();
      await page.frameLocator('.preview iframe').locator('img.photo').waitFor();
      assert.equal(readFileSync(profile, 'utf8'), before);
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('Published.').waitFor();
      assert.match(readFileSync(profile, 'utf8'), /^ +photo: photo-[\w-]{16}\.jpg$/m);
      await page.getByRole('button', { name: 'Remove the photo' }).click();
      await page.getByText('Not saved yet.', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('Published.').waitFor();
      assert.equal(readFileSync(profile, 'utf8'), before);
    });

    if (javaScriptEnabled)
      test('a photo of a phone, which is larger than is taken, is made smaller and upright before it is sent', async (t) => {
        const before = readFileSync(profile, 'utf8');
        t.after(() => writeFileSync(profile, before));
        const page = await openTab(t, service.url, { javaScriptEnabled });
        await signIn(page, inbox);
        await page.goto('/desk/profile/edit/photo');
        const picture = await page.evaluate(async () => {
          const canvas = new OffscreenCanvas(3_000, 2_000);
          canvas.getContext('2d');
          const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
          return [...new Uint8Array(await blob.arrayBuffer())];
        });
        const turned = withSegments(Buffer.from(picture), segmentOf(0xe1, exifOf(6)));
        const buffer = Buffer.concat([turned, Buffer.alloc(2 * 1024 ** 2)]);
        const input = page.getByLabel('drop it here');
        await input.setInputFiles({ name: 'phone.jpg', mimeType: 'image/jpeg', buffer });
        await page.waitForFunction(() => {
          const [file] = document.querySelector<HTMLInputElement>('#photo')?.files ?? [];
          return file !== undefined && file.size < 2 * 1024 ** 2;
        });
        await page.getByRole('button', { name: 'Save and publish' }).click();
        await page.getByText('Published.').waitFor();
        const name = /photo: "?(photo-[\w-]{16}\.jpg)/.exec(readFileSync(profile, 'utf8'))![1]!;
        const { width, height } = withoutMetadata(readFileSync(join(dirname(profile), name)));
        assert.deepEqual([width, height], [1_067, 1_600]);
      });

    test('a field that is made private by the keyboard alone is gone from the page of a stranger', async (t) => {
      const before = readFileSync(profile, 'utf8');
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.goto('/desk/profile/edit/readers');
      const stranger = page.frameLocator('.preview iframe').getByText('San Francisco, California');
      await stranger.waitFor();
      await page.getByRole('checkbox', { name: 'Location' }).focus();
      await page.keyboard.press('Space');
      if (javaScriptEnabled) await stranger.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Save and publish' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Published.').waitFor();
      await stranger.waitFor({ state: 'detached' });
      const landing = await (await fetch(service.url, { headers: { accept: 'text/html' } })).text();
      assert.doesNotMatch(landing, /San Francisco/);
      writeFileSync(profile, before);
    });

    test('a text is edited, its fault mended, published to the byte, and the version before restored', async (t) => {
      const before = readFileSync(profile, 'utf8');
      const edited = `${before}# ${javaScriptEnabled ? 'with' : 'without'} a script\n`;
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.getByRole('link', { name: 'Profile', exact: true }).click();
      await page.getByRole('link', { name: 'As YAML' }).click();
      const field = page.getByLabel('The whole text');
      assert.equal(await field.inputValue(), before);
      await field.fill(edited.replace('years_experience: ', 'years_experience: about '));
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('Not published: the text has faults.').waitFor();
      const line = before.split('\n').findIndex((one) => one.includes('years_experience')) + 1;
      await page.getByRole('link', { name: `Line ${line}` }).click();
      assert.ok(await page.locator(`#line-${line}`).isVisible());
      await field.fill(edited);
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('Published.').waitFor();
      assert.equal(readFileSync(profile, 'utf8'), edited);
      await page.getByRole('link', { name: 'Undo it' }).click();
      await page.getByRole('button', { name: 'Restore and publish' }).click();
      await page.getByText('Restored.').waitFor();
      assert.equal(readFileSync(profile, 'utf8'), before);
    });
  });

test('a link signs in once: opened again, it says that it was used', async (t) => {
  const page = await openTab(t, service.url);
  const link = await askForLink(page, inbox);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Desk' }).waitFor();
  await page.goto(link);
  await page.getByRole('heading', { name: 'This link was used already' }).waitFor();
});

test('after signing out, the browser shows nothing of the desk, not even by going back', async (t) => {
  const page = await openTab(t, service.url);
  await signIn(page, inbox);
  await page.getByRole('link', { name: 'Readers', exact: true }).click();
  await page.getByRole('heading', { name: 'Readers' }).waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in to your desk' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in to your desk' }).waitFor();
});

test('on a phone, the command that prints a link wraps, however long the folder of the service is', async (t) => {
  const page = await openTab(t, service.url, { viewport: { width: 320, height: 800 } });
  for (const path of ['/desk', '/desk/sign-in/sent']) {
    await page.goto(path);
    await page.locator('.sign-in code').evaluate((code) => {
      code.textContent = `node /srv/${'services/'.repeat(20)}src/main.ts desk`;
    });
    assert.equal(await sidewaysScroll(page), 0, path);
  }
});

test('the session cookie is out of reach of scripts and of forms on other sites', async (t) => {
  const page = await openTab(t, service.url);
  await signIn(page, inbox);
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort(),
    // The time zone is not secret, and is written by a script.
    [
      ['desk', true, 'Lax'],
      ['desk_zone', false, 'Lax'],
    ],
  );
});

test('the desk tells times in the time zone of the browser from the first page on, and in UTC without JavaScript', async (t) => {
  for (const [javaScriptEnabled, words] of [
    [true, 'Times are in Asia/Tokyo (GMT+9), the time zone of this browser.'],
    [false, 'Times are in UTC: only with JavaScript does a browser tell its time zone.'],
  ] as const) {
    const page = await openTab(t, service.url, { javaScriptEnabled, timezoneId: 'Asia/Tokyo' });
    await signIn(page, inbox);
    await page.getByText(words).waitFor();
  }
});

test('the chart is one stop of the tab key, and arrows lead from bar to bar, whose value is then seen', async (t) => {
  const token = await service.token();
  await fetch(`${service.url}/experience`, { headers: bearer(token) });
  const page = await openTab(t, service.url);
  await signIn(page, inbox);
  await page.reload();
  const bars = page.locator('.chart g[tabindex]');
  const values = page.locator('.chart .value:visible');
  assert.deepEqual([await bars.count(), await values.count()], [7, 0]);
  assert.equal(await page.locator('.chart g[tabindex="0"]').count(), 1);
  await bars.last().focus();
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await values.allTextContents(), [await bars.nth(5).getAttribute('aria-label')]);
  await page.keyboard.press('Home');
  assert.deepEqual(await values.allTextContents(), [await bars.first().getAttribute('aria-label')]);
});
