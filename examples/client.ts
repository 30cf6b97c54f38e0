// # Get a token
// The client has one method for each operation. Only the one that issues tokens needs none.

import { createClient } from 'candidate-profile/client';

const baseUrl = 'https://profile.example.org';
const visitor = createClient({ baseUrl });
const { access_token: token } = await visitor.createAuthToken({
  email: 'you@example.org',
});
const profile = createClient({ baseUrl, token });

// # Read
// Inputs and answers are typed: an end date is a string or null, and an entry that a list may lack is checked for.

const [latest] = await profile.listExperience({ current: true });
for (const role of latest?.roles ?? []) {
  console.log(role.title, role.start_date, role.end_date ?? 'today');
}

// # Read one entry
// Its id is what the list returned.

for (const { id } of await profile.listProjects()) {
  const { name, links } = await profile.getProject({ id });
  console.log(name, links.github ?? '');
}

// # Errors
// A call that is refused throws a Failure with the status, code and message of the service, and the seconds after which the same call
// may succeed, null if it never will.

import { Failure } from 'candidate-profile/client';

try {
  await profile.getProject({ id: 'other' });
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  const { status, code, message, retryAfterSeconds } = error;
  console.log(status, code, message, retryAfterSeconds);
}

// # Send a message
// Sent again with the same key, as after a broken connection, it leaves one message.

const message = {
  name: 'You',
  email: 'you@example.org',
  company: 'Yours',
  message: 'Shall we talk next week?',
};
const receipt = await profile.createContact(message, {
  idempotencyKey: crypto.randomUUID(),
});
console.log(receipt.id, receipt.status);
