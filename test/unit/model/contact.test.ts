import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactRequest } from '../../../src/model/contact.ts';

const request = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

test('a text that is not well-formed Unicode is refused, so that it is not stored altered', () => {
  for (const field of ['name', 'company', 'message'])
    assert.deepEqual(
      ContactRequest.safeParse({ ...request, [field]: 'a\ud800' }).error?.issues.map(({ path, message }) => [
        path,
        message,
      ]),
      [[[field], 'must not contain control characters']],
    );
  assert.equal(ContactRequest.safeParse({ ...request, name: 'Ada 🙂' }).success, true);
});
