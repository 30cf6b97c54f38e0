import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openSvgRenderer } from '../../src/adapters/svg-renderer.ts';
import { fitted, ogSvgOf, openOgImage } from '../../src/surfaces/web/public/og-image.ts';

const renderer = await openSvgRenderer();
const style = { accent: '#0b5d6b', address: 'https://example.org/' };
const svgOf = (profile: object) => ogSvgOf(profile, style, renderer);
/** The lines of text that a picture shows, with the size of each. */
const linesOf = (profile: object) =>
  [...svgOf(profile).matchAll(/font-size="(\d+)"[^>]*>([^<]*)<\/text>/g)].map(([, size, text]) => `${size} ${text}`);

suite('The picture for link previews', () => {
  test('it shows the name in large type, the title below, and the address', () => {
    assert.deepEqual(linesOf({ name: 'Tess Example', title: 'Software Engineer' }), [
      '96 Tess Example',
      '42 Software Engineer',
      '28 https://example.org/',
    ]);
  });

  test('with nothing public, it names nobody', () => {
    assert.deepEqual(linesOf({}), ['96 A professional profile', '28 https://example.org/']);
  });

  test('a name in letters that the faces lack is left out, instead of boxes', () => {
    assert.deepEqual(linesOf({ name: 'محمد عبد الله', title: 'Engineer' }), ['96 Engineer', '28 https://example.org/']);
    assert.deepEqual(linesOf({ name: '王小明', title: '工程师' }), [
      '96 A professional profile',
      '28 https://example.org/',
    ]);
    assert.deepEqual(linesOf({ name: 'Анна Ὀρφεύς Žluťoučký' })[0], '96 Анна Ὀρφεύς Žluťoučký');
  });

  test('emoji are left out of a name, the letters stay', () => {
    assert.equal(linesOf({ name: 'Tess 😀👩‍💻 Example' })[0], '96 Tess Example');
  });

  test('a name is text, whatever it holds', () => {
    const svg = svgOf({ name: '</svg><image href="/etc/passwd"/>', title: 'a\u202eb\u0000&' });
    assert.doesNotMatch(svg, /<image|<\/svg>./);
    assert.match(svg, />a\\u\{202e\}b\\u\{0\}&amp;<\/text>/);
  });

  test('long texts get smaller, then more lines, and are cut at last; nothing leaves the picture', () => {
    const names = ['Wolfeschlegelsteinhausenbergerdorff', 'M'.repeat(300), 'Tess '.repeat(60), 'i'.repeat(10_000)];
    for (const name of names) {
      const svg = svgOf({ name, title: name });
      assert.ok(renderer.widthOf(svg) <= 1200, name);
      assert.ok(linesOf({ name, title: name }).length <= 5, name);
    }
    assert.equal(linesOf({ name: names[0] })[0], '52 Wolfeschlegelsteinhausenbergerdorff');
    assert.match(linesOf({ name: names[1] })[0]!, /^52 M+…$/);
  });
});

suite('Drawing', () => {
  test('the picture is a PNG of 1200 × 630', async () => {
    const { body } = await openOgImage(openSvgRenderer)({ name: 'Tess Example' }, style);
    const bytes = Buffer.from(body);
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
  });

  test('requests at the same time share a rendering, which is kept until what it shows has changed', async () => {
    let opened = 0;
    const imageOf = openOgImage(async () => {
      opened += 1;
      return renderer;
    });
    const [first, second] = await Promise.all([imageOf({ name: 'Tess' }, style), imageOf({ name: 'Tess' }, style)]);
    assert.equal(first, second);
    assert.equal(await imageOf({ name: 'Tess' }, style), first);
    assert.equal(opened, 1);
    assert.notEqual((await imageOf({ name: 'Tess' }, { ...style, accent: '#9b2c2c' })).etag, first.etag);
    assert.equal(opened, 2);
  });

  test('after a failure, the next request tries again', async () => {
    let isBroken = true;
    const imageOf = openOgImage(async () => {
      if (isBroken) throw new Error('no memory');
      return renderer;
    });
    await assert.rejects(imageOf({}, style), { message: 'no memory' });
    isBroken = false;
    assert.equal((await imageOf({}, style)).type, 'image/png');
  });
});

test('text is broken between words, and its end is cut, also inside a word', () => {
  const space = { width: 10, maxLines: 2, sizes: [2, 1] };
  const measure = (text: string, size: number) => text.length * size;
  for (const [text, size, lines] of [
    ['ab cd ef', 2, ['ab cd', 'ef']],
    ['abcdefgh ij', 1, ['abcdefgh', 'ij']],
    ['ab abcdefghijklm', 1, ['ab', 'abcdefghi…']],
    ['abcdefgh ij abcdefgh', 1, ['abcdefgh', 'ij abcdef…']],
  ] as const)
    assert.deepEqual(fitted(text, space, measure), { size, lines }, text);
});
