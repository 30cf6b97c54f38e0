import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openZip } from 'resume-import/source/zip';
import { toZip, toZipOf, type Writing } from './zip-writer.ts';

const skills = 'Name\nAnalysis\n';

suite('A ZIP archive', () => {
  test('lists its files, deflated or stored, with their sizes and without folders', async () => {
    const files = await openZip(
      toZip([
        { path: 'export/', content: '', isStored: true, mode: 0o040755 },
        { path: 'export/Skills.csv', content: skills },
        { path: 'export/Größe 日本.csv', content: skills, isStored: true, mode: 0 },
      ]),
    );
    assert.deepEqual(await Promise.all(files.map(async ({ path, size, read }) => [path, size, String(await read())])), [
      ['export/Skills.csv', 14, skills],
      ['export/Größe 日本.csv', 14, skills],
    ]);
  });

  test('in an archive is not unpacked until it is read', async () => {
    const [file] = await openZip(toZip([{ path: 'inner.zip', content: toZipOf({ '../x': '' }), checksum: 0 }]));
    assert.equal(file?.path, 'inner.zip');
  });
});

suite('A hostile ZIP archive is refused in one line', () => {
  const zeros = Buffer.alloc(1024 * 1024 + 1);
  const notSafe = 'is not a safe path';
  const held: [kind: string, file: Partial<Writing>, fault: string][] = [
    ['with too high a compression ratio', { content: zeros }, 'unpacks to more than 100 times its size'],
    ['with too large a file', { size: 64 * 1024 * 1024 + 1 }, 'unpacks to more than 64 MiB'],
    ['with a path that leads out of its folder', { path: 'export/../../x.csv' }, notSafe],
    ['with an absolute path', { path: '/etc/passwd' }, notSafe],
    ['with a drive letter', { path: 'C:x.csv' }, notSafe],
    ['with a backslash', { path: '..\\x.csv' }, notSafe],
    ['with control characters in a path', { path: '\u001b[31m\n.csv' }, notSafe],
    ['with a file that has no name', { path: '' }, notSafe],
    ['with a symbolic link', { mode: 0o120777 }, 'is a link or a special file'],
    ['that is encrypted', { flags: 0x801 }, 'is encrypted'],
  ];
  for (const [kind, file, fault] of held)
    test(kind, () => {
      const { path, ...rest } = { path: 'Skills.csv', content: skills, ...file };
      const shown = path.replace(/\p{Cc}/gu, '?');
      const message = `is a ZIP archive that holds “${shown}”, which ${fault}`;
      return assert.rejects(openZip(toZip([{ path, ...rest }])), { message });
    });

  test('of 10,000 files, or too large as a whole', async () => {
    const files = (count: number, size: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `${index}.csv`, content: skills, size }));
    for (const [archive, fault] of [
      [files(10_000, skills.length), 'of more than 2000 files'],
      [files(129, 1024 * 1024), 'that unpacks to more than 128 MiB'],
    ] as const)
      await assert.rejects(openZip(toZip(archive)), { message: `is a ZIP archive ${fault}` });
  });

  const lying: Record<string, [Partial<Writing>, string]> = {
    'of a file longer than claimed': [
      { content: 'x'.repeat(100_000), size: 10 },
      'too many bytes in the stream. expected 10. got at least 16384',
    ],
    'of a file shorter than claimed': [{ size: 15 }, 'not enough bytes in the stream. expected 15. got only 14'],
    'of a file that was altered': [{ checksum: 1 }, 'a checksum is wrong'],
  };
  for (const [kind, [claim, reason]] of Object.entries(lying))
    test(`when it is unpacked, ${kind}`, async () => {
      const [file] = await openZip(toZip([{ path: 'Skills.csv', content: skills, ...claim }]));
      await assert.rejects(file!.read(), { message: `is a ZIP archive that cannot be read: ${reason}` });
    });
});
