import { Availability } from 'resume-profile/profile';
import { z } from 'zod';
import { ContactRequest } from '../model/contact.ts';
import { Failure } from '../model/failure.ts';
import { toContactNotice } from './notices.ts';
import { operation } from './operation.ts';
import { chargeRead } from './quotas.ts';

export const createContact = operation({
  name: 'create_contact',
  title: 'Create contact request',
  summary: 'Leaves a message for the candidate.',
  description:
    'Use it to send the candidate a message on behalf of the person you work for, and only when they asked you to. All four fields are required: ask the person for what you do not know, never make it up. Each call sends one message, so do not repeat one that succeeded. Returns the id of the contact request and its status. The candidate may answer to the e-mail address given.',
  kind: 'mutation',
  access: 'bearer',
  rest: { method: 'POST', path: '/contact', status: 201 },
  quotas: [
    { per: 'subject', count: 5, seconds: 3600 },
    { per: 'block', count: 10, seconds: 3600 },
    // Far above what people send; a sender with many addresses could fill the disk otherwise.
    { per: 'service', count: 1000, seconds: 3600 },
  ],
  acceptsIdempotencyKey: true,
  input: ContactRequest,
  output: z
    .object({
      id: z.string().meta({ description: 'Identifier of the contact request' }),
      status: z.string().meta({ description: 'received, once it is stored' }),
    })
    .meta({ id: 'ContactReceipt' }),
  handle: async (request, services, { caller, idempotencyKey: key, isRepeat, charges }) => {
    const { store, tokens, now, hash, newId } = services;
    const { token } = caller;
    const subject = token?.subject ?? null;
    const link = subject?.kind === 'link' ? await store.links.find(subject.id) : null;
    if (link?.mayWrite === false) throw new Failure('FORBIDDEN', 'This link does not allow messages.');
    const id = `contact_${newId()}`;
    const contact = { ...request, id, subject, receivedAt: now() };
    const claim = key === null ? null : { key, fingerprint: hash(JSON.stringify(request)) };
    const sender = token && { token, subjectHashes: tokens.subjectHashes(token.subject), claim };
    const keptId = await store.contacts.add(contact, toContactNotice(contact, hash, link), sender, charges);
    // Another request with the key was stored, and charged, while this one was under way.
    const refusal = keptId === id || isRepeat ? null : chargeRead(caller, services);
    if (refusal !== null) throw refusal;
    return { id: keptId, status: 'received' };
  },
});

export const getAvailability = operation({
  name: 'get_availability',
  title: 'Get availability',
  summary: 'Whether the candidate is open to being contacted.',
  description:
    'Use it to learn whether the candidate is open to being contacted. Returns status, a free text such as "open to opportunities"; there is no fixed list of values.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/contact/availability', alias: '/availability' },
  resources: [{ path: 'availability', title: 'Availability', description: 'Current availability status' }],
  input: z.object({}),
  output: Availability,
  handle: (_input, { profile }) => profile.availability,
});
