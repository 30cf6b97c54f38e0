import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accentsOf } from 'resume-profile/accent';

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
function contrastOf(one: string, other: string): number {
  const luminanceOf = (hex: string) => {
    const [red, green, blue] = [1, 3, 5].map((start) => {
      const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test('a colour that is dark enough is kept as it is', () => {
  assert.equal(accentsOf('#0b5d6b').light, '#0b5d6b');
});

test('every colour can be read on the page and on a panel, in both schemes', () => {
  // biome-ignore format: a table
  for (const colour of [
    '#000000', '#ffffff', '#ffff00', '#ff0000', '#00ff00', '#0000ff', '#7f7f7f', '#ffe4e1', '#0b5d6b',
  ]) {
    const { light, dark } = accentsOf(colour);
    for (const ground of ['#fcfbf8', '#f4f2ec'])
      assert.ok(contrastOf(light, ground) >= 4.5, `${colour} ${light} ${ground}`);
    for (const ground of ['#16181a', '#1e2124'])
      assert.ok(contrastOf(dark, ground) >= 4.5, `${colour} ${dark} ${ground}`);
  }
});

test('in the dark, a colour keeps its hue', () => {
  assert.equal(accentsOf('#ff0000').dark, '#db6161');
});
