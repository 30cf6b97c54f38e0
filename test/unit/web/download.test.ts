import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadOf } from '../../../src/surfaces/web/desk/download.ts';

const columns = ['name', 'count', 'is_verified', 'note'] as const;
const row = { name: 'Ada', count: 2, is_verified: true, note: null };
const send = (format: 'json' | 'csv', ...rows: Parameters<typeof downloadOf<(typeof columns)[number]>>[1]) =>
  downloadOf({ format, name: 'readers', columns }, rows);
const linesOf = async (...rows: Parameters<typeof send> extends [unknown, ...infer Rows] ? Rows : never) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await send('csv', ...rows).arrayBuffer());

test('CSV has a heading, CRLF after each line, and a byte order mark for spreadsheets', async () => {
  assert.equal(await linesOf(row), '\ufeffname,count,is_verified,note\r\nAda,2,true,\r\n');
  assert.equal(await linesOf(), '\ufeffname,count,is_verified,note\r\n');
});

test('a comma, a quotation mark, a line break and space at an end are quoted', async () => {
  const text = await linesOf({ ...row, name: 'King, Ada "A."', note: 'one\r\ntwo\nthree' }, { ...row, name: ' Ada' });
  assert.equal(
    text.slice(text.indexOf('\n') + 1),
    '"King, Ada ""A.""",2,true,"one\r\ntwo\nthree"\r\n" Ada",2,true,\r\n',
  );
});

test('a text that a spreadsheet would run as a formula is marked as text; a number is not', async () => {
  for (const text of ['=1+1', '+49 30', '-2', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＠x'])
    assert.match(await linesOf({ ...row, name: text }), new RegExp(`\r\n"?'${RegExp.escape(text)}`), text);
  assert.match(await linesOf({ ...row, name: '=HYPERLINK("http://x","y")' }), /"'=HYPERLINK\(""http:\/\/x"",""y""\)"/);
  assert.match(await linesOf({ ...row, count: -2 }), /Ada,-2,/);
});

test('nor does one begin within a text, if the spreadsheet separates by semicolons, tabs or lines', async () => {
  const note = 'Hello; =1+1;\t@SUM(A1)\r\n-1+1\n\n+1\r＝1; and so on - as usual';
  assert.match(
    await linesOf({ ...row, note }),
    /,"Hello;' =1\+1;\t'@SUM\(A1\)\r\n'-1\+1\n\n'\+1\r'＝1; and so on - as usual"\r\n$/,
  );
});

test('each format is sent as a file of its type, which no cache keeps', async () => {
  const headersOf = (format: 'json' | 'csv') => Object.fromEntries(send(format, row).headers);
  assert.deepEqual(headersOf('csv'), {
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="readers.csv"',
    'content-type': 'text/csv; charset=utf-8; header=present',
  });
  assert.deepEqual(headersOf('json'), {
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="readers.json"',
    'content-type': 'application/json',
  });
  assert.deepEqual(await send('json', row).json(), [row]);
});
