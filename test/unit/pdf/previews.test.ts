import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from 'resume-profile/profile-document';
import { openPreviews } from '../../../src/adapters/pdf/previews.ts';
import type { PrintedPreview } from '../../../src/model/profile/printed-preview.ts';

const profileOf = (id: string, resume = {}) => ({ candidate: { id }, resume }) as unknown as Profile;
const printedOf = (pages: number): PrintedPreview => ({
  ...{ pictures: [], height: 1, pages, paper: 'a4', lacksPhoto: false, leftOut: [], warnings: [], texts: [] },
});

test('one preview is printed at a time, and of those that wait the newest alone', async () => {
  const printed: string[] = [];
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const previews = openPreviews(async ({ candidate: { id } }) => {
    printed.push(id);
    begun.resolve();
    await released.promise;
    return printedOf(printed.length);
  });
  for (const id of ['first', 'second', 'third']) previews.keep(id, profileOf(id));
  const first = previews.print('first');
  await begun.promise;
  const others = ['second', 'third'].map((id) => previews.print(id));
  released.resolve();
  assert.deepEqual(await Promise.all([first, ...others]), [printedOf(1), null, printedOf(2)]);
  assert.deepEqual(printed, ['first', 'third']);
  assert.deepEqual(await previews.print('second'), printedOf(3));
});

test('a text whose picture a page asks for is printed, whatever else is asked for meanwhile', async () => {
  const previews = openPreviews(async ({ candidate: { id } }) => printedOf(Number(id)));
  for (const id of ['1', '2', '3', '4']) previews.keep(id, profileOf(id));
  const asked = [previews.print('1'), previews.print('2'), previews.print('2', true), previews.print('3', true)];
  const last = previews.print('4');
  assert.deepEqual(await Promise.all(asked), [null, printedOf(2), printedOf(2), printedOf(3)]);
  assert.deepEqual(await last, printedOf(4));
});

test('a text is printed once, and again when that failed or its photo was not there', async () => {
  const photos = ['none', 'broken'];
  let prints = 0;
  const previews = openPreviews(async ({ candidate: { id } }) => {
    prints += 1;
    if (id === 'broken') throw new Error('it took more than 20 seconds');
    return { ...printedOf(1), lacksPhoto: id === 'none' };
  });
  previews.keep('whole', profileOf('whole'));
  for (const id of photos) previews.keep(id, profileOf(id, { photo: 'me.jpg' }));
  await Promise.all([previews.print('whole'), previews.print('whole')]);
  await previews.print('whole');
  assert.equal(prints, 1);
  assert.deepEqual(previews.printedOf('whole'), printedOf(1));
  assert.deepEqual(await previews.print('broken'), { fault: 'it took more than 20 seconds' });
  await previews.print('broken');
  await previews.print('none');
  await previews.print('none');
  assert.equal(prints, 4);
  previews.keep('none', profileOf('none', { photo: 'me.jpg' }));
  await previews.print('none');
  assert.equal(prints, 5);
});

test('the last twenty texts are kept', async () => {
  const previews = openPreviews(async () => printedOf(1));
  for (let count = 1; count <= 21; count += 1) previews.keep(`${count}`, profileOf(`${count}`));
  assert.equal(previews.profileOf('1'), null);
  assert.notEqual(previews.profileOf('2'), null);
  assert.equal(await previews.print('1'), null);
});
