import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../../../src/service/config/config.ts';
import { fixture, makeFolder } from '../../support/files.ts';

const folder = makeFolder();
after(() => rmSync(folder, { recursive: true }));
for (const name of ['profile.yaml', 'tls-cert.pem', 'tls-key.pem']) copyFileSync(fixture(name), join(folder, name));

test('every path of a setting is resolved against one directory', () => {
  const config = readConfig(
    {
      PROFILE: 'profile.yaml',
      DATA_DIR: 'state',
      DATABASE_URL: 'state/own.db',
      PDF_TEMPLATE: 'profile.yaml',
      FONT_DIR: '.',
      TLS_CERT: 'tls-cert.pem',
      TLS_KEY: 'tls-key.pem',
    },
    folder,
  );
  assert.deepEqual(config.profile, { path: join(folder, 'profile.yaml'), ownPath: join(folder, 'profile.yaml') });
  assert.equal(config.dataDir, join(folder, 'state'));
  const file = join(folder, 'state/own.db');
  assert.deepEqual(config.database, { name: file, file });
  assert.equal(config.pdf.template, join(folder, 'profile.yaml'));
  assert.equal(config.pdf.fontDir, folder);
  assert.deepEqual(config.tls, {
    cert: readFileSync(fixture('tls-cert.pem')),
    key: readFileSync(fixture('tls-key.pem')),
  });
});

test('codes cannot be sent to visitors without a mail server: the start is refused with what to set', () => {
  const settings = { PROFILE: 'profile.yaml', VERIFY_EMAIL: 'on' };
  assert.throws(() => readConfig(settings, folder), {
    message: 'VERIFY_EMAIL: needs SMTP_URL, the mail server that sends the codes; set it, or VERIFY_EMAIL=off',
  });
  assert.equal(readConfig({ ...settings, SMTP_URL: 'smtp://mail.example.net' }, folder).verifiesEmail, true);
  assert.equal(readConfig({ PROFILE: 'profile.yaml' }, folder).verifiesEmail, false);
});
