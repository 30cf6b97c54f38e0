import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openThemePictures } from '../../../src/adapters/pdf/theme-picture.ts';
import type { Profile } from '../../../src/model/profile/profile-document.ts';

test('a picture is printed once, and again only if it could not be', async () => {
  const profile = {} as Profile;
  const picture = new Uint8Array([1]);
  let prints = 0;
  const pictureOf = openThemePictures(async () => {
    prints += 1;
    if (prints === 1) throw new Error('it took more than 20 seconds');
    return picture;
  });
  assert.equal(await pictureOf('classic', profile, ''), null);
  assert.equal(await pictureOf('classic', profile, ''), picture);
  assert.equal(await pictureOf('classic', profile, ''), picture);
  assert.equal(prints, 2);
});
