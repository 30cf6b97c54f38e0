import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf } from 'resume-profile/text';

test('a text has the direction of the script of its first letter', () => {
  assert.equal(directionOf('ليلى حداد'), 'rtl');
  assert.equal(directionOf('3. „שרה” Levi'), 'rtl');
  assert.equal(directionOf('Leila ليلى'), 'ltr');
  assert.equal(directionOf('42'), 'ltr');
});
