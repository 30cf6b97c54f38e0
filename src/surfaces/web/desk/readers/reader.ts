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
    const [tokens, grants, reads, messages] = await Promise.all([
      readers.tokensOf([canonicalAddress], maxTokens),
      readers.grantsOf([canonicalAddress], maxTokens),
      readers.readsOf(canonicalAddress, maxReads),
      readers.listContacts(address),
    ]);
    const done = doneWords(query);
    return readerPage({
      site,
      readers,
      reader,
      tokens,
      grants,
      reads,
      messages,
      done,
      refused,
      formToken,
      now: clock(),
    });
  }

  desk.page('/desk/readers/:id', async (request) => show(await find(request.params.id), request));

  desk.action('/desk/readers/:id/revoke', async ({ params, fields }) => {
    const { address, canonicalAddress } = await find(params.id);
    const [jti, grant] = [fields.get('jti'), fields.get('grant')];
    const isOfReader =
      (jti === null || (await readers.tokensOf([canonicalAddress])).some((token) => token.jti === jti)) &&
      (grant === null || (await readers.grantsOf([canonicalAddress])).some(({ id }) => id === grant));
    if (!isOfReader) throw new Failure('BAD_REQUEST');
    const { tokens, grants } = await readers.revoke(targetOf(address, jti, grant));
    return `/desk/readers/${params.id}?ended=${tokens}${grants === 0 ? '' : `&clients=${grants}`}`;
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

/** Returns the one token or grant that a form names; without either, all of the address. */
function targetOf(subject: string, jti: string | null, grant: string | null): Parameters<Readers['revoke']>[0] {
  if (jti !== null) return { kind: 'jti', jti };
  return grant === null ? { kind: 'subject', subject } : { kind: 'grant', id: grant };
}

/** Says what was done before the page was shown. */
function doneWords(query: URLSearchParams): string | null {
  if (query.get('done') === 'noted') return 'The note is saved.';
  const [ended, clients] = [query.get('ended') ?? '', query.get('clients') ?? '0'];
  if (![ended, clients].every((count) => /^\d{1,6}$/.test(count))) return null;
  if (Number(ended) + Number(clients) === 0) return 'No valid token was left to end.';
  const what = [
    ...(clients === '0' ? [] : [`the access of ${pluralize(Number(clients), 'client')}`]),
    ...(ended === '0' ? [] : [pluralize(Number(ended), 'token')]),
  ];
  return `Ended ${what.join(' and ')}. Requests with ${ended === '1' && clients === '0' ? 'it' : 'them'} are refused from now on.`;
}
