// # Get a token
// The client has one method for each operation. Only the one that issues tokens needs none.

import { createClient } from 'candidate-profile/client';

const baseUrl = process.env.BASE_URL ?? 'https://profile.example.org';
const { access_token: token } = await createClient({ baseUrl }).createAuthToken({ email: 'you@example.org' });
const profile = createClient({ baseUrl, token });

// # Read
// Inputs and answers are typed: `current` is a boolean, and an end date may be null.

const [latest] = await profile.listExperience({ current: true });
for (const role of latest?.roles ?? []) console.log(role.title, role.start_date, role.end_date ?? 'today');

// # Read one entry
// An id is what a list returned. A call that is refused throws a Failure with the code, the status and the message of the service.

import { Failure } from 'candidate-profile/client';

for (const { id } of await profile.listProjects()) {
  const { name, links } = await profile.getProject({ id });
  console.log(name, links.github ?? '');
}
try {
  await profile.getProject({ id: 'other' });
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.log(error.status, error.code, error.message);
  if (error.retryAfterSeconds !== null) console.log('Try again in', error.retryAfterSeconds, 'seconds');
}

// # Send a message
// Sent again with the same key, as after a broken connection, it leaves one message.

const message = { name: 'You', email: 'you@example.org', company: 'Yours', message: 'Shall we talk next week?' };
const { id, status } = await profile.createContact(message, { idempotencyKey: crypto.randomUUID() });
console.log(id, status);
