import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from 'resume-profile/profile-document';
import { openDesignPictures } from '../../../src/adapters/pdf/previews.ts';

test('a picture is printed once, and again only if it could not be', async () => {
  const profile = { resume: {} } as Profile;
  const picture = new Uint8Array([1]);
  let prints = 0;
  const pictureOf = openDesignPictures(async () => {
    prints += 1;
    if (prints === 1) throw new Error('it took more than 20 seconds');
    return picture;
  });
  assert.equal(await pictureOf(profile, { theme: 'classic' }), null);
  assert.equal(await pictureOf(profile, { theme: 'classic' }), picture);
  assert.equal(await pictureOf(profile, { theme: 'classic' }), picture);
  assert.equal(prints, 2);
});

test('once a design is chosen, the pictures of the others are those that were printed before', async () => {
  const prints: unknown[] = [];
  const pictureOf = openDesignPictures(async ({ resume }) => {
    prints.push([resume.theme, resume.font]);
    return new Uint8Array();
  });
  for (const resume of [{}, { theme: 'latex' }, { theme: 'modern' }])
    for (const theme of ['classic', 'latex'] as const) await pictureOf({ resume } as Profile, { theme });
  assert.deepEqual(prints, [
    ['classic', undefined],
    ['latex', undefined],
  ]);
  await pictureOf({ resume: { theme: 'latex' } } as Profile, { font: 'plex' });
  assert.deepEqual(prints.at(-1), ['latex', 'plex']);
});
