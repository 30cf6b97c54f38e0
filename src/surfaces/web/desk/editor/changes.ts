import { z } from 'zod';
import { Failure } from '../../../../model/failure.ts';
import type { Finding, WorkingCopy, WorkingState } from '../../../../model/profile/working-copy.ts';
import { getPdfState } from '../../../../operations/owner/desk.ts';
import { differencesOfCopy, type OpenCopy } from '../../../../operations/owner/open-copy.ts';
import { previewProfile } from '../../../../operations/owner/preview.ts';
import { listVersions } from '../../../../operations/owner/profile.ts';
import {
  changeWorkingCopy,
  chooseValue,
  getWorkingCopy,
  publishWorkingCopy,
  undoPublish,
} from '../../../../operations/owner/working-copy.ts';
import type { Desk, DeskAnswer, DeskRouter, DeskScriptRequest } from '../router.ts';
import { isLocal } from '../share.ts';
import { findingsOf } from './findings.ts';
import { leftOutOf, toLeftOutKey } from './preview.ts';

const Id = z.string().min(1).max(100);
const Pointer = z
  .string()
  .max(10_000)
  .regex(/^(\/.*)?$/s);
const Operation = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.enum(['test', 'add', 'replace']),
    path: Pointer,
    value: z.custom((value) => value !== undefined),
  }),
  z.strictObject({ op: z.literal('remove'), path: Pointer }),
  z.strictObject({ op: z.literal('move'), from: Pointer, path: Pointer }),
]);
const Event = z.union([
  z.strictObject({ id: Id, step: Id, patch: z.array(Operation).max(10_000) }),
  z.strictObject({ undo: Id }),
  z.strictObject({ redo: Id }),
]);
const Events = z.object({ events: z.array(Event).max(10_000) });
const Choice = z.object({ pointer: Pointer, value: z.enum(['mine', 'theirs']) });
const Revision = z.object({ revision: z.string(), leftOut: z.string().optional() });
const Version = z.object({ version: z.int() });

/** Reads the body of a request. Throws `Failure`. */
function readBody<Schema extends z.ZodType>({ bytes }: DeskScriptRequest, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Failure('BAD_REQUEST', 'Request body must be valid JSON');
  }
  const { data, error } = schema.safeParse(value);
  if (data === undefined) throw new Failure('BAD_REQUEST', error!.issues[0]!.message);
  return data;
}

const maxDepth = 40;

/** Whether a value is nested too deeply, or has a text that the database or the file cannot hold. */
function isUnstorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return (
    depth > maxDepth || Object.entries(value).some(([key, one]) => isUnstorable(key) || isUnstorable(one, depth + 1))
  );
}

/** Returns the state of a working copy for the script of the editor. */
export async function toWorkingCopy(
  copy: OpenCopy,
  { run, imports }: Pick<Desk, 'run' | 'imports'>,
  today: Date,
): Promise<WorkingCopy> {
  const { revision, text, values, conflicts, base, changes, costs } = copy;
  const { written, faults } = await run(previewProfile, { text });
  const last = copy.stored?.changes.findLast((change) => change.text !== null && !change.isUndone);
  const imported = imports.get(last?.id ?? '') ?? null;
  const isEmpty = text === '';
  return {
    revision,
    findings: [
      ...(isEmpty || values === null ? [] : findingsOf({ text, values, written, faults, today }, imported)),
      ...(costs === 'nothing' ? [] : [toRemark(costWords[costs])]),
    ],
    unpublished: values === null ? Number(copy.stored !== null) : differencesOfCopy(copy).length,
    conflicts,
    base,
    changes,
    unreadable: values !== null ? [] : isEmpty ? copy.document.readFaults : faults,
  };
}

const toRemark = (message: string): Finding => ({ kind: 'remark', pointer: '', line: null, message, summary: message });

const costWords = {
  aliases: 'The file refers to a value in several places (aliases). This writes the value out in each.',
  comments: 'The file cannot be changed in place here: it is written anew, without its comments.',
};

const toState = ({ revision, findings, unpublished, conflicts }: WorkingState): WorkingState => ({
  ...{ revision, findings, unpublished, conflicts },
});

/** Adds what the script of the editor asks the service for. */
export function addChangesTo(desk: DeskRouter, { site, run, imports }: Desk): void {
  const path = '/desk/profile';
  const { json } = desk.early;
  const stateOf = (copy: OpenCopy, { times }: DeskScriptRequest) => toWorkingCopy(copy, { run, imports }, times.now);
  const ok = (body: unknown): DeskAnswer => ({ status: 200, body });

  json('get', `${path}/changes`, async (request) => ok(await stateOf(await run(getWorkingCopy, {}), request)));

  json('patch', `${path}/changes`, async (request) => {
    const [, revision] = /^"(.*)"$/.exec(request.headers.get('if-match') ?? '') ?? [];
    if (revision === undefined) return refused(428, 'The revision is missing: send it as If-Match.');
    const { events } = readBody(request, Events);
    if (isUnstorable(events)) return refused(422, 'A text has U+0000 or half of a character, or is nested too deeply.');
    const changed = await run(changeWorkingCopy, { events, revision, session: request.session.id });
    const copy = await stateOf(changed.copy, request);
    if (changed.isStale) return { status: 412, body: { ...copy, known: [...changed.known] } };
    if (changed.failed === null) return ok(toState(copy));
    return { status: 409, body: { failed: changed.failed.id, message: changed.failed.message } };
  });

  json('post', `${path}/changes/choose`, async (request) => {
    const choice = readBody(request, Choice);
    return ok(await stateOf(await run(chooseValue, { ...choice, session: request.session.id }), request));
  });

  json('get', `${path}/changes/differences`, async () => ok(differencesIn(await run(getWorkingCopy, {}))));

  json('post', `${path}/publish`, async (request) => {
    const { revision, leftOut: known } = readBody(request, Revision);
    const before = await run(getWorkingCopy, {});
    const leftOut = before.revision === revision ? await leftOutOf(run, before.text) : [];
    if (leftOut.length > 0 && known !== toLeftOutKey(leftOut)) {
      const message = 'the PDF would leave out characters that no font here has';
      return { status: 409, body: { reason: 'leaves-out', message, leftOut, key: toLeftOutKey(leftOut) } };
    }
    const { refusal, copy } = await run(publishWorkingCopy, { revision, session: request.session.id });
    if (refusal !== null) {
      const status = refusal.reason === 'signed-out' ? 401 : refusal.reason === 'too-large' ? 413 : 409;
      return { status, body: { ...refusal, copy: await stateOf(copy, request), ...differencesIn(copy) } };
    }
    const [, previous] = await run(listVersions, {});
    return ok({
      published: true,
      copy: await stateOf(copy, request),
      undoVersion: previous?.id ?? null,
      pdf: await run(getPdfState, { waits: false }),
      pageUrl: site.baseUrl,
      isLocal: isLocal(site),
    });
  });

  json('get', `${path}/publish/pdf`, async () => ok(await run(getPdfState, { waits: true })));

  json('post', `${path}/publish/undo`, async (request) => {
    const { version: id } = readBody(request, Version);
    const { refusal } = await run(undoPublish, { id, session: request.session.id });
    if (refusal !== null) return { status: refusal.reason === 'signed-out' ? 401 : 409, body: refusal };
    return ok(await stateOf(await run(getWorkingCopy, {}), request));
  });
}

const differencesIn = (copy: OpenCopy) => ({ revision: copy.revision, differences: differencesOfCopy(copy) });

const refused = (status: number, message: string): DeskAnswer => ({ status, body: { message } });
