import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toVcard } from 'resume-documents/vcard';
import { everySectionPath, readProfile } from '../../../resume-profile/test/documents.ts';

const profile = readProfile(everySectionPath).profile!;
const photo = { format: 'jpg', bytes: new Uint8Array(100).fill(255) } as const;

test('a vCard has what the head of the resume has', () => {
  assert.equal(
    toVcard(profile, null),
    [
      'BEGIN:VCARD',
      'VERSION:4.0',
      'FN:Nora Lindqvist',
      'TITLE:Hydrologist',
      'ORG:Watergauge',
      'ADR:;;;Uppsala\\, Sweden;;;',
      'EMAIL:nora@nora.example',
      'TEL:+46 18 000 000',
      'URL:https://www.linkedin.com/in/nora-example',
      'URL:https://nora.example',
      'LANG:en',
      'END:VCARD',
      '',
    ].join('\r\n'),
  );
});

test('the signs that RFC 6350 gives a meaning are escaped, and other control characters left out', () => {
  const candidate = { ...profile.candidate, name: 'Lind; Nora, \\ Dr.\u0007', title: 'One\nTwo' };
  const lines = toVcard({ ...profile, candidate }, null).split('\r\n');
  assert.deepEqual(lines.slice(2, 4), ['FN:Lind\\; Nora\\, \\\\ Dr. ', 'TITLE:One\\nTwo']);
});

test('no line has more than 75 octets, and no character is divided', () => {
  const name = 'Łukasz 王 😀 '.repeat(20).trim();
  const card = toVcard({ ...profile, candidate: { ...profile.candidate, name } }, null);
  const lines = card.split('\r\n');
  assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75));
  assert.ok(card.replaceAll('\r\n ', '').includes(`FN:${name}\r\n`));
});

test('the photo is in it as a data URL', () => {
  const card = toVcard(profile, photo);
  assert.match(card.replaceAll('\r\n ', ''), /^PHOTO:data:image\/jpeg;base64,\/{133}w==\r$/m);
  assert.match(toVcard(profile, { format: 'png', bytes: new Uint8Array(3) }), /^PHOTO:data:image\/png;base64,AAAA\r$/m);
});

test('what the page hides is not in it', () => {
  const hidden = (...page: ('email' | 'phone' | 'photo' | 'links')[]) => ({ ...profile.resume, hides: { page } });
  const card = toVcard({ ...profile, resume: hidden('email', 'phone', 'photo', 'links') }, photo);
  assert.doesNotMatch(card, /EMAIL|TEL|PHOTO|URL|nora@|000/);
  const unnamed = { ...profile.candidate, name: '', title: '' };
  assert.match(toVcard({ ...profile, candidate: unnamed, resume: hidden('email') }, null), /^FN:-\r$/m);
});

test('somebody without a name has the title as one, because a vCard needs a name', () => {
  const candidate = { ...profile.candidate, name: '' };
  assert.match(toVcard({ ...profile, candidate }, null), /^FN:Hydrologist\r$/m);
});
