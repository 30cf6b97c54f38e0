import assert from 'node:assert/strict';
import { test } from 'node:test';
import { themes } from 'resume-profile/resume-design';
import { OPS } from 'unpdf/pdfjs';
import { rendererOf, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';

/** The first page of the sample with a summary. */
const pageWith = async (summary: string, theme: (typeof themes)[number]) =>
  (await rendererOf({ theme })({ ...sample, candidate: { ...sample.candidate, summary } })).pages[0]!;

test('strong text is semibold, emphasis italic, and code in its own face, in each theme', async () => {
  for (const theme of themes) {
    const { page } = await pageWith('**Strong** *slanted* `code` plain', theme);
    // Loads the fonts.
    await page.getOperatorList();
    const { items } = await page.getTextContent();
    const faceOf = (text: string) => {
      const item = items.find((it) => 'str' in it && it.str.trim() === text) as { fontName: string };
      return (page.commonObjs.get(item.fontName) as { name: string }).name;
    };
    assert.match(faceOf('Strong'), /Semibold$|SemiBold$|Bold$/i, theme);
    assert.match(faceOf('slanted'), /It(alic)?$/i, theme);
    assert.match(faceOf('code'), /DejaVuSansMono$/, theme);
    assert.doesNotMatch(faceOf('plain'), /bold|It(alic)?$/i, theme);
  }
});

test('a link in a text leads to its address, and is underlined in latex, which has no colour for links', async () => {
  const text = 'Wrote [notes](https://papers.example/x)';
  for (const theme of themes) {
    const linked = await pageWith(text, theme);
    assert.ok(linked.links.includes('https://papers.example/x'), theme);
    const linesOn = async ({ page }: typeof linked) =>
      (await page.getOperatorList()).fnArray.filter((operator) => operator === OPS.constructPath).length;
    const more = (await linesOn(linked)) - (await linesOn(await pageWith('Wrote notes', theme)));
    assert.equal(more, theme === 'latex' ? 1 : 0, theme);
  }
});
