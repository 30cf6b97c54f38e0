import { countCodePoints } from '../../../../model/code-points.ts';
import { Failure } from '../../../../model/failure.ts';
import { pluralize } from '../../../../model/pluralize.ts';
import type { Reader } from '../../../../model/reader.ts';
import type { Site } from '../../page.ts';
import { addScrubTo } from '../erasure.ts';
import type { DeskRequest, DeskRouter } from '../router.ts';
import type { Readers } from './ports.ts';
import { readerPage } from './reader-page.ts';
import { maxTokens } from './revoke-form.ts';

interface Options {
  readonly site: Site;
  readonly readers: Readers;
  readonly now: () => Date;
}

const maxNote = 2_000;
/** How many reads the timeline goes back at most. */
const maxReads = 1_000;

/** Adds the page of a reader and its forms. */
export function addReaderTo(desk: DeskRouter, { site, readers, now: clock }: Options): void {
  const afterErasing = addScrubTo(desk, { site, section: 'Readers', path: '/desk/readers', scrub: readers.scrub });

  async function find(id: string | undefined): Promise<Reader> {
    for await (const addresses of readers.readerAddresses()) {
      const address = addresses.find((one) => readers.idOf(one) === id);
      const [found] = address === undefined ? [] : (await readers.listReaders({ address }, 1)).readers;
      if (found !== undefined) return found;
    }
    throw new Failure('NOT_FOUND');
  }

  async function show(reader: Reader, { query, formToken }: DeskRequest, refused?: { note: string; fault: string }) {
    const { canonicalAddress, address } = reader;
    const [tokens, reads, messages] = await Promise.all([
      readers.tokensOf([canonicalAddress], maxTokens),
      readers.readsOf(canonicalAddress, maxReads),
      readers.listContacts(address),
    ]);
    const done = doneWords(query);
    return readerPage({ site, readers, reader, tokens, reads, messages, done, refused, formToken, now: clock() });
  }

  desk.page('/desk/readers/:id', async (request) => show(await find(request.params.id), request));

  desk.action('/desk/readers/:id/revoke', async ({ params, fields }) => {
    const { address, canonicalAddress } = await find(params.id);
    const jti = fields.get('jti');
    const isOfReader = (await readers.tokensOf([canonicalAddress])).some((token) => token.jti === jti);
    if (jti !== null && !isOfReader) throw new Failure('BAD_REQUEST');
    const ended = await readers.revoke(jti === null ? { kind: 'subject', subject: address } : { kind: 'jti', jti });
    return `/desk/readers/${params.id}?ended=${ended}`;
  });

  desk.action('/desk/readers/:id/note', async (form) => {
    const reader = await find(form.params.id);
    const note = (form.fields.get('note') ?? '').replaceAll('\r\n', '\n').trim();
    const length = countCodePoints(note);
    if (length > maxNote) {
      const fault = `The note has ${length} characters, and can have ${maxNote}. Shorten it, and save it again.`;
      return { ...(await show(reader, form, { note, fault })), status: 400 };
    }
    await readers.noteReader(reader.canonicalAddress, note, clock());
    return `/desk/readers/${form.params.id}?done=noted#note`;
  });

  desk.action('/desk/readers/:id/erase', async ({ params, formToken }) => {
    const { address } = await find(params.id);
    return afterErasing(await readers.eraseVisitor(address), formToken);
  });
}

/** Says what was done before the page was shown. */
function doneWords(query: URLSearchParams): string | null {
  if (query.get('done') === 'noted') return 'The note is saved.';
  const ended = query.get('ended') ?? '';
  if (!/^\d{1,6}$/.test(ended)) return null;
  if (ended === '0') return 'No valid token was left to end.';
  return `Ended ${pluralize(Number(ended), 'token')}. Requests with ${ended === '1' ? 'it' : 'them'} are refused from now on.`;
}
