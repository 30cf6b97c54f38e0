import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getDocumentProxy } from 'unpdf';
import { fileNameOf, fileResponse } from '../../src/surfaces/rest/files.ts';
import { openPrinterHere } from '../support/in-place.ts';
import { openTestService } from '../support/in-process.ts';
import { signedLinkOf } from '../support/links.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;

describe('the resume PDF with a signed link', () => {
  let service: Service;
  let ask: (headers?: Record<string, string>, method?: string) => Promise<Response>;
  let whole: Buffer;
  before(async () => {
    service = await openTestService({}, { openPrinter: openPrinterHere });
    const link = await signedLinkOf(service);
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
