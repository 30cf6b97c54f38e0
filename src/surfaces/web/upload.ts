import { once } from 'node:events';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Failure } from '../../model/failure.ts';
import { chargeRefused, type FormGuard, isSameOrigin, tokenName } from './form.ts';

/** The field of a form that has the file. */
export interface UploadField {
  readonly name: string;
  readonly limitBytes: number;
  /** The maximum number of fields beside it and the token; none are read if it is absent. */
  readonly otherFields?: number;
}

/** How a form with a file is taken. */
interface UploadRules {
  readonly guard: FormGuard;
  /** The session that the form belongs to. */
  readonly session: string;
  readonly field: UploadField;
  /** Stores a part of the file. */
  write(chunk: Uint8Array): Promise<void>;
}

/** The name that a file has on the machine that it comes from, and how much of it was stored. */
export interface Uploaded {
  readonly name: string;
  readonly bytes: number;
  readonly isTooLarge: boolean;
  /** Whether more files came with it, of which nothing is stored. */
  readonly hasOthers: boolean;
  /** The other fields of the form, without the token. */
  readonly fields: URLSearchParams;
}

/** How much of a form that is too large is read, so that the browser can read the response. */
const drainBytes = 128 * 1024 * 1024;

const broken = () => new Failure('BAD_REQUEST', 'The form must arrive whole');

/**
 * Takes a form with the token and one file, which goes to `write` as it arrives. The token must come before the file:
 * without a valid one nothing is written, which is charged to `from`, and null is returned. Throws `FORBIDDEN` if
 * another site may have sent it.
 */
export async function takeUpload(request: Request, from: string | null, rules: UploadRules): Promise<Uploaded | null> {
  const { guard, session, field, write } = rules;
  if (!isSameOrigin(request, guard.policy)) throw new Failure('FORBIDDEN', 'This form was sent from another site.');
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type) || request.headers.has('content-encoding') || request.body === null)
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The form must be multipart/form-data without content encoding');
  const parser = openParser(type, field);
  const fields = new URLSearchParams();
  const token = () => fields.get(tokenName) ?? '';
  let hasOthers = false;
  let stream: BusboyFileStream | null = null;
  let storing: Promise<Omit<Uploaded, 'hasOthers' | 'fields'> | null> = Promise.resolve(null);

  /** Reads the file to its end, because the response follows the form, and stores it. */
  async function store(file: BusboyFileStream, name: string) {
    let bytes = 0;
    let fault: unknown = null;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (fault === null) await write(chunk).catch((error) => (fault = error));
    }
    if (fault !== null) throw fault;
    return { name, bytes, isTooLarge: file.truncated };
  }

  parser.on('field', (name, value) => {
    fields.append(name, value);
  });
  parser.on('filesLimit', () => {
    hasOthers = true;
  });
  parser.on('file', (name, file, fileName) => {
    stream = file;
    if (name !== field.name || !guard.tokens.isValid(token(), session)) {
      file.resume();
      return;
    }
    storing = store(file, fileName ?? '');
    storing.catch(() => {});
  });
  try {
    await feed(request.body, parser);
  } catch (error) {
    (stream as BusboyFileStream | null)?.destroy();
    throw error;
  }
  const uploaded = await storing;
  const isValid = guard.tokens.isValid(token(), session);
  fields.delete(tokenName);
  if (uploaded !== null) return { ...uploaded, hasOthers, fields };
  if (isValid) throw broken();
  chargeRefused(guard, from);
  return null;
}

/** Opens a parser of forms with the token, one file and its other fields. */
function openParser(type: string, { limitBytes: fileSize, otherFields = 0 }: UploadField): BusboyInstance {
  const headers: BusboyHeaders = { 'content-type': type };
  const counts = { files: 1, fields: 1 + otherFields, parts: 3 + otherFields };
  const limits = { ...counts, fileSize, fieldSize: 4_096, headerPairs: 10, headerSize: 4_096 };
  try {
    return new Busboy({ headers, limits });
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
      if (total > drainBytes) throw new Failure('PAYLOAD_TOO_LARGE', 'The form is too large');
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), ended]);
    }
    parser.end();
    await ended;
  } catch (error) {
    parser.destroy();
    throw error instanceof Failure ? error : broken();
  }
}
