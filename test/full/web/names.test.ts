import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../../support/browser.ts';
import { fixture } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { runCommand, startProcess } from '../../support/process.ts';

test('over http at home, pages work by BASE_URL and ALLOWED_HOSTS; by other names, forms say where', async (t) => {
  const port = await freePort();
  const [at, allowed, other] = ['server.home.arpa', 'server.local', 'server.lan'].map(
    (name) => `http://${name}:${port}`,
  );
  const { openTab } = await openBrowser(t, [], ['--host-resolver-rules=MAP server.* 127.0.0.1']);
  const env = {
    HOST: '0.0.0.0',
    PORT: `${port}`,
    BASE_URL: at!,
    ALLOW_INSECURE_HTTP: 'true',
    ALLOWED_HOSTS: 'server.local',
    PROFILE: fixture('profile.yaml'),
    OWNER_EMAIL: 'owner@lenavasquez.dev',
  };
  const { folder } = await startProcess(t, env);
  for (const address of [at!, allowed!]) {
    const page = await openTab(t, address);
    await page.goto('/');
    await page.getByLabel('E-mail').fill('ada@lovelace-engines.net');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('link', { name: 'Download PDF' }).waitFor();
    const { stdout } = await runCommand(t, ['desk'], env, folder);
    await page.goto(stdout.match(/http\S+/)![0].replace(at!, address));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${address}/desk`);
    const cookies = await page.context().cookies();
    const isSecure = Object.fromEntries(cookies.map(({ name, secure }) => [name, secure]));
    assert.deepEqual([isSecure.visitor, isSecure.desk], [false, false]);
  }
  const page = await openTab(t, other!);
  await page.goto('/');
  await page.getByLabel('E-mail').fill('ada@lovelace-engines.net');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText(`forms are accepted only from pages at ${at}. Open the page there`).waitFor();
  assert.equal(await page.getByRole('link', { name: at! }).getAttribute('href'), at);
});
