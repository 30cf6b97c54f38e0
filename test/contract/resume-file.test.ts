import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { getDocumentProxy } from 'unpdf';
import { openApp } from '../../src/service/app.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log.ts';
import { openServices } from '../../src/service/services.ts';
import { fileNameOf, fileResponse } from '../../src/surfaces/rest/files.ts';
import { childrenOf } from '../support/child-processes.ts';
import { readDocx } from '../support/docx.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openPrinterHere } from '../support/in-place.ts';
import { openTestService } from '../support/in-process.ts';
import { openVisitor } from '../support/pages.ts';
import { eventually } from '../support/process.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;

/** The path of the signed link with its query. */
async function linkOf(service: Service): Promise<string> {
  const { url } = (await (await service.get('/resume?format=pdf')).json()) as { url: string };
  return url.slice(service.baseUrl.length);
}

describe('the resume PDF with a signed link', () => {
  let service: Service;
  let ask: (headers?: Record<string, string>, method?: string) => Promise<Response>;
  let whole: Buffer;
  before(async () => {
    service = await openTestService({}, { openPrinter: openPrinterHere });
    const link = await linkOf(service);
    ask = (headers = {}, method = 'GET') => service.ask(link, { method, headers });
    whole = Buffer.from(await (await ask()).arrayBuffer());
  });
  after(() => service.close());

  test("is displayed by browsers, and saved under the candidate's name", async () => {
    const { status, headers } = await ask();
    assert.equal(status, 200);
    const { etag, ...others } = Object.fromEntries(headers);
    assert.match(etag!, /^"[\w-]{22}"$/);
    assert.deepEqual(others, {
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Range, ETag, X-Request-Id',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="Tess-Example-resume.pdf"',
      'content-length': String(whole.length),
      'content-security-policy': "base-uri 'none'; frame-ancestors 'none'",
      'content-type': 'application/pdf',
    });
  });

  test('has the JSON of GET /resume attached, byte for byte, and what it prints as a profile', async () => {
    const pdf = await getDocumentProxy(new Uint8Array(whole));
    const attachments = (await pdf.getAttachments())!;
    assert.deepEqual([...attachments.keys()].sort(), ['profile.json', 'resume.json']);
    const attached = Buffer.from((await pdf.getAttachmentContent('resume.json'))!);
    assert.equal(attached.toString(), await (await service.get('/resume')).text());
  });

  test('HEAD has the headers of GET; ranges are for GET only', async () => {
    const head = await ask({ range: 'bytes=0-9' }, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(whole.length)]);
    assert.equal((await head.arrayBuffer()).byteLength, 0);
  });

  test('a range is sent without the rest', async () => {
    const { length } = whole;
    for (const [range, first, last] of [
      ['bytes=0-99', 0, 99],
      ['bytes=100-', 100, length - 1],
      ['bytes=-100', length - 100, length - 1],
      ['bytes=-999999999', 0, length - 1],
      [`bytes=${length - 1}-999999999`, length - 1, length - 1],
    ] as const) {
      const part = await ask({ range });
      assert.equal(part.status, 206, range);
      assert.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${length}`);
      assert.equal(part.headers.get('content-length'), String(last + 1 - first));
      assert.ok(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(first, last + 1)), range);
    }
  });

  test('malformed ranges are answered with the whole file, one beyond the end with its length', async () => {
    for (const range of ['bytes=0-1,5-6', 'bytes=5-1', 'bytes=-', 'bytes=a-b', 'lines=0-1'])
      assert.equal((await ask({ range })).status, 200, range);
    for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
      const refused = await ask({ range });
      assert.deepEqual([refused.status, refused.headers.get('content-range')], [416, `bytes */${whole.length}`]);
      assert.match(await refused.text(), /"RANGE_NOT_SATISFIABLE"/);
    }
  });

  test('is not sent again to a client that has it, and a range with If-Range only if it is the same', async () => {
    const etag = (await ask()).headers.get('etag')!;
    const range = 'bytes=0-1';
    for (const [headers, status] of [
      [{ 'if-none-match': `"other", W/${etag}` }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ range, 'if-range': etag }, 206],
      [{ range, 'if-range': '"other"' }, 200],
      [{ range, 'if-range': 'Sat, 21 Nov 2026 00:00:00 GMT' }, 200],
    ] as const) {
      const response = await ask(headers);
      assert.deepEqual([response.status, response.headers.get('etag')], [status, etag]);
    }
  });
});

test('an expired link shows a page that leads to the profile, and is 404 for programs', async (t) => {
  const service = await openTestService({}, { openPrinter: openPrinterHere });
  t.after(() => service.close());
  const open = (headers: Record<string, string>) => service.ask('/files/resume.pdf?expires=1&signature=x', { headers });
  const page = await open({ accept: 'text/html,*/*;q=0.8' });
  assert.deepEqual([page.status, page.headers.get('cache-control')], [404, 'no-store']);
  assert.match(
    await page.text(),
    /<h1>This link has expired<\/h1>.*<a class="button" href="\/">Open the profile<\/a>/s,
  );
  for (const headers of [{}, { accept: 'application/pdf' }]) {
    const answer = await open(headers as Record<string, string>);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'application/json']);
    assert.deepEqual(await answer.json(), {
      error: { code: 'NOT_FOUND', message: 'The requested resource could not be found.' },
    });
  }
});

test('a name in any script becomes a safe file name', async () => {
  for (const [candidateName, disposition] of [
    ['Zoë d’Arc', `inline; filename="Zoe-d-Arc-resume.pdf"; filename*=UTF-8''Zo%C3%AB-d-Arc-resume.pdf`],
    ['李明', `inline; filename="resume.pdf"; filename*=UTF-8''%E6%9D%8E%E6%98%8E-resume.pdf`],
    ['../..\\"; x=\u0001\u202e\ud800', 'inline; filename="x-resume.pdf"'],
    ['…', 'inline; filename="resume.pdf"'],
    ['A'.repeat(200), `inline; filename="${'A'.repeat(60)}-resume.pdf"`],
  ] as const) {
    const file = { bytes: new Uint8Array(1), type: 'application/pdf', name: fileNameOf(candidateName, 'resume.pdf') };
    const response = fileResponse(file, new Request('http://127.0.0.1:3000/files/resume.pdf'));
    assert.equal(response.headers.get('content-disposition'), disposition);
  }
});

test('if a template cannot be printed, only the PDF is unavailable, and /readyz says so without a path [TRUST-71]', async (t) => {
  const template = join(newFolder(t), 'template.typ');
  writeFileSync(template, '#set page(\n#oops');
  const service = await openTestService({ PDF_TEMPLATE: template }, { openPrinter: openPrinterHere });
  t.after(() => service.close());
  const refused = await service.ask(await linkOf(service));
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
  assert.deepEqual(await refused.json(), {
    error: { code: 'UNAVAILABLE', message: 'The resume cannot be printed at the moment.' },
  });
  const page = await service.ask(await linkOf(service), { headers: { accept: 'text/html,*/*;q=0.8' } });
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
  await service.ask(await linkOf(service));
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
