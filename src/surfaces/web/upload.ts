import { once } from 'node:events';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Failure } from '../../model/failure.ts';
import { chargeRefused, type FormGuard, isSameOrigin, tokenName } from './form.ts';

/** A form with a file, as it is taken. */
interface UploadRules {
  readonly guard: FormGuard;
  /** The session that the form belongs to. */
  readonly session: string;
  readonly limitBytes: number;
  /** Stores a part of the file. */
  write(chunk: Uint8Array): Promise<void>;
}

/** The name that a file has on the machine that it comes from, and how much came. */
export interface Uploaded {
  readonly name: string;
  readonly bytes: number;
  readonly isTooLarge: boolean;
}

/** How much of a form that is too large is read, so that the browser can read the response. */
const drainBytes = 128 * 1024 * 1024;

const broken = () => new Failure('BAD_REQUEST', 'The form must arrive whole');

/**
 * Takes a form with one file, which goes to `write` as it arrives. The token must come before the file: without a valid
 * one nothing is written, which is charged to `from`, and null is returned. Throws `FORBIDDEN` if another site may have
 * sent it.
 */
export async function takeUpload(request: Request, from: string | null, rules: UploadRules): Promise<Uploaded | null> {
  const { guard, session, limitBytes, write } = rules;
  if (!isSameOrigin(request, guard.policy)) throw new Failure('FORBIDDEN', 'This form was sent from another site.');
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type) || request.headers.has('content-encoding') || request.body === null)
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The form must be multipart/form-data without content encoding');
  const parser = openParser(type, limitBytes);
  let token = '';
  let uploaded: Uploaded | null = null;
  let writing = Promise.resolve();
  parser.on('field', (name, value) => {
    if (name === tokenName) token = value;
  });
  parser.on('file', (_field, file, name) => {
    const isAccepted = guard.tokens.isValid(token, session);
    let bytes = 0;
    writing = (async () => {
      let fault: unknown = null;
      // Read to its end all the same: the response follows the form.
      for await (const chunk of file as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (isAccepted && fault === null) await write(chunk).catch((error) => (fault = error));
      }
      if (fault !== null) throw fault;
      if (isAccepted) uploaded = { name: name ?? '', bytes, isTooLarge: file.truncated };
    })();
    writing.catch(() => {});
  });
  await feed(request.body, parser);
  await writing;
  if (uploaded !== null) return uploaded;
  if (guard.tokens.isValid(token, session)) throw broken();
  chargeRefused(guard, from);
  return null;
}

function openParser(type: string, fileSize: number): BusboyInstance {
  const headers: BusboyHeaders = { 'content-type': type };
  try {
    return new Busboy({ headers, limits: { fileSize, files: 1, fields: 2, parts: 3, fieldSize: 4_096 } });
  } catch {
    throw broken();
  }
}

/** Gives a body to the parser at the speed at which the file is stored. */
async function feed(body: ReadableStream<Uint8Array>, parser: BusboyInstance): Promise<void> {
  const ended = once(parser, 'finish');
  ended.catch(() => {});
  let total = 0;
  try {
    for await (const chunk of body.values({ preventCancel: true })) {
      total += chunk.byteLength;
      if (total > drainBytes) throw new Failure('PAYLOAD_TOO_LARGE');
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), ended]);
    }
    parser.end();
    await ended;
  } catch (error) {
    parser.destroy();
    throw error instanceof Failure ? error : broken();
  }
}
