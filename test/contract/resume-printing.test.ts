import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApp } from '../../src/service/app.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log.ts';
import { openServices } from '../../src/service/services.ts';
import { childrenOf } from '../support/child-processes.ts';
import { readDocx } from '../support/docx.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openPrinterHere } from '../support/in-place.ts';
import { openTestService } from '../support/in-process.ts';
import { signedLinkOf } from '../support/links.ts';
import { openVisitor } from '../support/pages.ts';
import { eventually } from '../support/process.ts';

test('if a template cannot be printed, only the PDF is unavailable, and /readyz says so without a path [TRUST-71]', async (t) => {
  const template = join(newFolder(t), 'template.typ');
  writeFileSync(template, '#set page(\n#oops');
  const service = await openTestService({ PDF_TEMPLATE: template }, { openPrinter: openPrinterHere });
  t.after(() => service.close());
  const refused = await service.ask(await signedLinkOf(service));
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
  assert.deepEqual(await refused.json(), {
    error: { code: 'UNAVAILABLE', message: 'The resume cannot be printed at the moment.' },
  });
  const page = await service.ask(await signedLinkOf(service), { headers: { accept: 'text/html,*/*;q=0.8' } });
  assert.equal(page.status, 503);
  assert.match(
    await page.text(),
    /<meta http-equiv="refresh" content="\d+">.*<h1>The resume cannot be printed at the moment<\/h1>.*this page looks again in \d+ seconds\..*<a class="button" href="\/">Open the profile<\/a>/s,
  );
  assert.equal((await service.get('/resume')).status, 200);
  const ready = await service.ask('/readyz');
  assert.equal(ready.status, 200);
  const { pdf, pdf_fault } = (await ready.json()) as Record<string, string>;
  assert.deepEqual(
    { pdf, pdf_fault },
    { pdf: 'unavailable', pdf_fault: 'The resume cannot be printed; the log says why.' },
  );
});

test('the first PDF is printed 2 s after the start or when it is asked for, not by a service that stops', async (t) => {
  const baseUrl = 'http://127.0.0.1:3000';
  const folder = newFolder(t);
  const config = readConfig({ PROFILE: fixture('profile.yaml'), DATA_DIR: folder, ALLOW_SAMPLE: 'true' }, folder);
  const log = openLog('silent', config.logFormat);
  await using opened = await openServices(config, baseUrl, log, 'server');
  assert.equal(opened.waitMilliseconds, 10_000);
  // Nothing else of the process can set a timer while these stand still.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stopped = openApp(opened);
  stopped.renderAhead();
  await stopped.drain();
  t.mock.timers.tick(2_000);
  assert.deepEqual(childrenOf(process.pid), []);

  openApp(opened).renderAhead();
  t.mock.timers.tick(1_999);
  assert.deepEqual(childrenOf(process.pid), []);
  t.mock.timers.tick(1);
  assert.equal(childrenOf(process.pid).length, 1);

  await using other = await openServices({ ...config, dataDir: newFolder(t) }, baseUrl, log, 'server');
  const { renderAhead, fetch } = openApp(other);
  renderAhead();
  const asked = await fetch(new Request(other.links.resume.at(new Date(), null)));
  assert.equal(asked.headers.get('content-type'), 'application/pdf');
  t.mock.timers.reset();
});

test('wrong PDF settings prevent the start, each reported on a line', () => {
  const env = { PDF_THEME: 'baroque', PDF_PAPER: 'a5' };
  assert.throws(() => readConfig(env, '/tmp'), {
    message: 'PDF_THEME: must be classic, modern, compact, latex or sidebar\nPDF_PAPER: must be a4 or us-letter',
  });
  assert.throws(() => readConfig({ PDF_TEMPLATE: 'nowhere.typ', FONT_DIR: 'nowhere' }, '/nonexistent'), {
    message: 'PDF_TEMPLATE: nowhere.typ is not a file\nFONT_DIR: nowhere is not a folder',
  });
});

test('the page links to the contact and the photo, signed as the PDF, and nobody reads them without that', async (t) => {
  const folder = newFolder(t);
  copyFileSync(fixture('photo.jpg'), join(folder, 'me.jpg'));
  writeFileSync(join(folder, 'profile.yaml'), `${readFileSync(fixture('profile.yaml'), 'utf8')}  photo: me.jpg\n`);
  const service = await openTestService({ PROFILE: join(folder, 'profile.yaml') }, { openPrinter: openPrinterHere });
  t.after(() => service.close());
  await service.ask(await signedLinkOf(service));
  const page = await (await openVisitor(service).getAccess()).text();
  const linkTo = (path: string) => new RegExp(`"(${path}\\?[^"]*)"`).exec(page)![1]!.replaceAll('&amp;', '&');
  const contact = await service.ask(linkTo('/files/contact.vcf'));
  assert.equal(contact.headers.get('content-type'), 'text/vcard; charset=utf-8');
  assert.equal(contact.headers.get('content-disposition'), 'inline; filename="Tess-Example-contact.vcf"');
  const card = await contact.text();
  assert.match(card, /^FN:Tess Example\r$/m);
  assert.match(card, /^PHOTO:data:image\/jpeg;base64,/m);
  const photo = await service.ask(linkTo('/files/photo'));
  assert.equal(photo.headers.get('content-type'), 'image/jpeg');
  assert.ok((await photo.arrayBuffer()).byteLength > 100);
  for (const path of ['/files/contact.vcf', '/files/photo']) {
    const altered = linkTo(path).replace(/expires=\d/, 'expires=9');
    for (const url of [path, altered, linkTo('/files/contact.vcf').replace('contact.vcf', 'photo')])
      assert.equal((await service.ask(url, { headers: { accept: '*/*' } })).status, 404, url);
  }
});

test('the resume for Word is made if offered, signed as the PDF, and again when the profile changes', async (t) => {
  const folder = newFolder(t);
  const path = join(folder, 'profile.yaml');
  const own = readFileSync(fixture('profile.yaml'), 'utf8');
  const offering = `${own}  downloads: [pdf, docx]\n`;
  writeFileSync(path, offering);
  const service = await openTestService({ PROFILE: path }, { openPrinter: openPrinterHere });
  t.after(() => service.close());
  const visitor = openVisitor(service);
  assert.match(await (await visitor.getAccess()).text(), /<a href="\/profile\/docx">Download as Word<\/a>/);
  const link = (await visitor.send('/profile/docx')).headers.get('location')!;
  assert.match(link, /^\/files\/resume\.docx\?expires=\d+&signature=/);

  const response = await service.ask(link);
  assert.equal(response.status, 200);
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  assert.equal(response.headers.get('content-type'), type);
  assert.equal(response.headers.get('content-disposition'), 'inline; filename="Tess-Example-resume.docx"');
  assert.equal(readDocx(new Uint8Array(await response.arrayBuffer())).paragraphs[0], 'Heading1: Tess Example');
  const etag = response.headers.get('etag')!;
  assert.equal((await service.ask(link, { headers: { 'if-none-match': etag } })).status, 304);
  const others = [
    link.replace('resume.docx', 'resume.pdf'),
    link.replace(/expires=\d/, 'expires=9'),
    '/files/resume.docx',
  ];
  for (const other of others) assert.equal((await service.ask(other)).status, 404, other);

  const headers = { authorization: `Bearer ${await visitor.showToken()}` };
  await eventually(async () => {
    const { reads } = (await (await service.ask('/me', { headers })).json()) as { reads: Record<string, string>[] };
    return reads.some(({ operation, item, surface }) => operation === 'docx' && item === 'docx' && surface === 'web');
  });

  const changed = async (text: string, hasChanged: () => Promise<boolean>) => {
    writeFileSync(path, text);
    await eventually(hasChanged);
  };
  await changed(offering.replace('Tess Example', 'Ada Lovelace'), async () => {
    const { paragraphs } = readDocx(new Uint8Array(await (await service.ask(link)).arrayBuffer()));
    return paragraphs[0] === 'Heading1: Ada Lovelace';
  });
  // A link that was given out ends when the owner offers it no more.
  await changed(own, async () => (await service.ask(link)).status === 404);
  const ended = await service.ask(link, { headers: { accept: 'text/html,*/*;q=0.8' } });
  assert.equal(ended.status, 404);
  assert.match(await ended.text(), /<h1>This link has expired<\/h1>.*Open the profile to see what it offers now\./s);
  assert.doesNotMatch(await (await visitor.get('/')).text(), /\/profile\/docx/);
  const gone = await visitor.get('/profile/docx');
  assert.equal(gone.status, 404);
  assert.match(await gone.text(), /The resume is not offered for Word any more\. Download the PDF\./);
});
