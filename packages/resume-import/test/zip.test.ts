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
  const refused: Record<string, [readonly Writing[], string]> = {
    'with too high a compression ratio': [
      [{ path: 'Skills.csv', content: zeros }],
      'is a ZIP archive that holds “Skills.csv”, which unpacks to more than 100 times its size',
    ],
    'with too large a file': [
      [{ path: 'Skills.csv', content: skills, size: 64 * 1024 * 1024 + 1 }],
      'is a ZIP archive that holds “Skills.csv”, which unpacks to more than 64 MiB',
    ],
    'that is too large as a whole': [
      Array.from({ length: 129 }, (_, index) => ({ path: `${index}.csv`, content: skills, size: 1024 * 1024 })),
      'is a ZIP archive that unpacks to more than 128 MiB',
    ],
    'of 10,000 files': [
      Array.from({ length: 10_000 }, (_, index) => ({ path: `${index}.csv`, content: '', isStored: true })),
      'is a ZIP archive of more than 2000 files',
    ],
    'with a path that leads out of its folder': [
      [{ path: 'export/../../x.csv', content: skills }],
      'is a ZIP archive that holds “export/../../x.csv”, which is not a safe path',
    ],
    'with an absolute path': [
      [{ path: '/etc/passwd', content: skills }],
      'is a ZIP archive that holds “/etc/passwd”, which is not a safe path',
    ],
    'with a drive letter': [
      [{ path: 'C:x.csv', content: skills }],
      'is a ZIP archive that holds “C:x.csv”, which is not a safe path',
    ],
    'with a backslash': [
      [{ path: '..\\x.csv', content: skills }],
      'is a ZIP archive that holds “..\\x.csv”, which is not a safe path',
    ],
    'with control characters in a path': [
      [{ path: '\u001b[31m\n.csv', content: skills }],
      'is a ZIP archive that holds “?[31m?.csv”, which is not a safe path',
    ],
    'with a file that has no name': [
      [{ path: '', content: skills }],
      'is a ZIP archive that holds “”, which is not a safe path',
    ],
    'with a symbolic link': [
      [{ path: 'Skills.csv', content: '/etc/passwd', mode: 0o120777 }],
      'is a ZIP archive that holds “Skills.csv”, which is a link or a special file',
    ],
    'that is encrypted': [
      [{ path: 'Skills.csv', content: skills, flags: 0x801 }],
      'is a ZIP archive that holds “Skills.csv”, which is encrypted',
    ],
  };
  for (const [kind, [files, message]] of Object.entries(refused))
    test(kind, () => assert.rejects(openZip(toZip(files)), { message }));

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
