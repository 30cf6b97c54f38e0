import assert from 'node:assert/strict';
import { test } from 'node:test';
import { themes } from 'resume-profile/resume-design';
import { called, rendererOf } from '../../../packages/resume-documents/test/pdf/rendered.ts';

/** The lines of the name that a theme prints, and its size in points. */
async function printed(theme: (typeof themes)[number], name: string) {
  const { pages, pdf } = await rendererOf({ theme })(called(name));
  const { items } = await pages[0]!.page.getTextContent();
  const sizes = items.flatMap((item) =>
    'str' in item && item.str.length > 3 && name.toUpperCase().includes(item.str.trim().toUpperCase())
      ? [Math.round(item.transform[0])]
      : [],
  );
  const [title] = await pdf.getOutline();
  assert.equal(title!.title, name);
  const end = pages[0]!.lines.findIndex((line) => line.startsWith('Staff Software'));
  return { lines: pages[0]!.lines.slice(0, end), sizes: [...new Set(sizes)] };
}

test('a long name is set smaller on one line, where it has a line of its own', async () => {
  for (const theme of ['classic', 'modern', 'compact', 'latex'] as const) {
    const { lines } = await printed(theme, 'Katharina von Hohenberg-Lindström');
    assert.deepEqual(lines, ['Katharina von Hohenberg-Lindström'], theme);
  }
});

test('a name is never divided in a word: it is set smaller, or begins lines after its hyphens', async () => {
  const name = 'Małgorzata Żółkiewska-Brzęczyszczykiewicz';
  for (const theme of themes) {
    const { lines, sizes } = await printed(theme, name);
    assert.equal(lines.join(' ').replace('- ', '-'), name, theme);
    assert.equal(sizes.length, 1, `${theme}: ${sizes}`);
  }
  const { lines, sizes } = await printed('sidebar', name);
  assert.deepEqual(lines, ['Małgorzata', 'Żółkiewska-', 'Brzęczyszczykiewicz']);
  assert.ok(sizes[0]! >= 14, `${sizes}`);
});
