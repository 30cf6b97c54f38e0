import { once } from 'node:events';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Failure } from '../../model/failure.ts';
import { chargeRefused, type FormGuard, isSameOrigin, tokenName } from './form.ts';

export interface UploadField {
  readonly name: string;
  readonly limitBytes: number;
}

export interface UploadRules {
  readonly guard: FormGuard;
  readonly session: string;
  readonly field: UploadField;
  /** Stores a part of the file. Rejects with a `Failure` if it cannot. */
  write(chunk: Uint8Array): Promise<void>;
}

/** The name of a file on the machine that sent it, and its size. */
export interface Uploaded {
  readonly name: string;
  readonly bytes: number;
  readonly isTooLarge: boolean;
  /** False if it could not be written. */
  readonly isStored: boolean;
  /** Whether the form had more files, which are not stored. */
  readonly hasOthers: boolean;
}

/** The part of a form that is read even if it is too large, so that the browser can read the response. */
const drainBytes = 128 * 1024 * 1024;

const broken = () => new Failure('BAD_REQUEST', 'The form must arrive whole');

/**
 * Reads a form with the token and one file, which is passed to `write` as it arrives. The token must come before the file:
 * without a valid one nothing is written, the file is null, and that is charged to `from`. Returns also the other fields. Throws
 * `FORBIDDEN` if another site may have sent it.
 */
export async function takeUpload(request: Request, from: string | null, rules: UploadRules) {
  const { guard, session, field, write } = rules;
  if (!isSameOrigin(request, guard.policy)) throw new Failure('FORBIDDEN', 'This form was sent from another site.');
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type) || request.headers.has('content-encoding') || request.body === null)
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The form must be multipart/form-data without content encoding');
  const parser = openParser(type, field);
  const fields = new URLSearchParams();
  const isAccepted = () => guard.tokens.isValid(fields.get(tokenName) ?? '', session);
  let hasOthers = false;
  let stream: BusboyFileStream | null = null;
  let storing: Promise<Omit<Uploaded, 'hasOthers'> | null> = Promise.resolve(null);

  /** Reads the file to its end, because the response follows the form, and stores it. */
  async function store(file: BusboyFileStream, name: string) {
    let bytes = 0;
    let isStored = true;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      isStored &&= await write(chunk).then(() => true, falseIfFailed);
    }
    return { name, bytes, isTooLarge: file.truncated, isStored };
  }

  parser.on('field', (name, value) => {
    fields.append(name, value);
  });
  parser.on('filesLimit', () => {
    hasOthers = true;
  });
  parser.on('file', (name, file, fileName) => {
    stream = file;
    if (name !== field.name || !isAccepted()) {
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
  const isBroken = uploaded === null && isAccepted();
  fields.delete(tokenName);
  const file: Uploaded | null = uploaded && { ...uploaded, hasOthers };
  if (file !== null) return { file, fields };
  if (isBroken) throw broken();
  chargeRefused(guard, from);
  return { file, fields };
}

function falseIfFailed(error: unknown): false {
  if (error instanceof Failure) return false;
  throw error;
}

/** Opens a parser of forms with the token, one file and its other fields. */
function openParser(type: string, { limitBytes: fileSize }: UploadField): BusboyInstance {
  const headers: BusboyHeaders = { 'content-type': type };
  const counts = { files: 1, fields: 1, parts: 3 };
  const limits = { ...counts, fileSize, fieldSize: 4_096, headerPairs: 10, headerSize: 4_096 };
  try {
    return new Busboy({ headers, limits });
  } catch {
    throw broken();
  }
}

/** Passes a body to the parser at the speed at which the file is stored. */
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
