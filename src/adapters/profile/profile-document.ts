import { existsSync } from 'node:fs';
import type { Profile } from 'resume-profile/profile-document';
import { type DocumentFault, type ProfileReading, readProfileText, toFaultText } from 'resume-profile/profile-reader';
import { isVisible } from 'resume-profile/text';
import { isPlainMap } from 'resume-profile/yaml/change';
import {
  type DocumentState,
  type DocumentVersion,
  maxDocumentMebibytes,
  type PublishRefusal,
  type VersionKind,
} from '../../model/profile/document-state.ts';
import { readInputFile } from '../input-file.ts';
import { hash } from '../node-crypto.ts';
import { openQueue } from '../queue.ts';
import type { Replicas } from '../store/database.ts';
import { changed, createFile, obstacleTo, readBytes, reasonOf, replaceFile } from './document-file.ts';
import type { LiveProfile } from './profile-address.ts';
import { readProfile } from './profile-file.ts';
import { isAddress, nameOf, type ProfileSource } from './profile-source.ts';

type KeptVersion = Omit<DocumentVersion, 'id' | 'bytes'>;

interface ProfileDocumentOptions {
  readonly profile: Pick<LiveProfile, 'isPresent' | 'name' | 'path' | 'fetchedText' | 'reload'>;
  readonly source: ProfileSource;
  readonly samplePath: string;
  /** Returns why a service does not start with a profile's `owner_email`, in words that follow it; null if it does. */
  readonly ownerFaultOf: (profile: Pick<Profile, 'owner_email'>) => string | null;
  /** The processes that may each have a file of their own. */
  readonly replicas: Pick<Replicas, 'whileAlone'>;
  readonly versions: {
    add(version: KeptVersion): Promise<void>;
  };
  readonly now: () => Date;
  readonly log: { error(fields: object, message: string): void };
}

export const unservedProfileOf = (source: ProfileSource): ProfileDocumentOptions['profile'] => ({
  isPresent: () => false,
  name: () => nameOf(source),
  path: () => {
    if (isAddress(source)) return null;
    return source.ownPath !== undefined && existsSync(source.ownPath) ? source.ownPath : source.path;
  },
  fetchedText: () => null,
  reload() {},
});

export function profileDocumentOf(options: ProfileDocumentOptions) {
  const { profile, source, samplePath, ownerFaultOf, replicas, versions, now, log } = options;
  const ownPath = isAddress(source) ? undefined : source.ownPath;
  /** Published versions that could not be stored yet, the oldest first. */
  const unkept: KeptVersion[] = [];
  let isRetrying = false;
  let isClosed = false;
  const enqueue = openQueue();

  async function keep(text: string, kind: VersionKind): Promise<void> {
    for (let next = unkept[0]; next !== undefined; next = unkept[0]) {
      await versions.add(next);
      unkept.shift();
    }
    // PostgreSQL cannot store U+0000.
    if (!text.includes('\0')) await versions.add({ revision: hash(text), text, kind, at: now() });
  }

  async function keepCurrentNow(): Promise<void> {
    const { place, text } = look();
    if (isClosed || place === 'sample' || place === 'none' || text === null) return;
    try {
      await keep(text, 'outside');
      isRetrying = false;
    } catch (error) {
      retry(error);
    }
  }

  function retry(error: unknown): void {
    if (!isRetrying) log.error({ err: error }, 'a version of the profile could not be kept yet');
    isRetrying = true;
    setTimeout(() => void enqueue(keepCurrentNow), 1_000).unref();
  }

  async function read(): Promise<DocumentState> {
    const state = look();
    if (state.obstacle !== null) return state;
    const obstacle = await replicas.whileAlone(async () => {});
    return obstacle === null
      ? state
      : { ...state, place: state.place === 'file' ? 'read-only' : state.place, obstacle };
  }

  /** Returns the document without checking whether other replicas serve. */
  function look(): DocumentState {
    const path = profile.path();
    if (path === null) {
      const text = profile.fetchedText();
      const facts = { name: profile.name(), place: 'address', obstacle: 'the profile is at an address' } as const;
      return { ...facts, text, revision: text === null ? '' : hash(text), readFaults: [] };
    }
    const isSample = path === samplePath;
    const obstacle = obstacleOf(path);
    if (isAbsent(path)) return { name: path, place: 'none', obstacle, text: '', revision: hash(''), readFaults: [] };
    const facts = {
      name: isSample ? (ownPath ?? path) : path,
      place: isSample ? 'sample' : obstacle === null ? 'file' : 'read-only',
      obstacle,
    } as const;
    try {
      const bytes = readInputFile(path, maxDocumentMebibytes);
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return { ...facts, text, revision: hash(bytes), readFaults: [] };
    } catch {
      return { ...facts, text: null, revision: '', readFaults: readProfile(path).locatedFaults };
    }
  }

  /** Whether the file waits for the first profile. A served file that is missing is not created again. */
  const isAbsent = (path: string): boolean => !profile.isPresent() && !existsSync(path);

  /** Returns why the file at a path, or the owner's file that replaces the sample, cannot be written; null if it can. */
  function obstacleOf(path: string): string | null {
    if (path !== samplePath) return obstacleTo(path);
    return ownPath === undefined || ownPath === samplePath ? 'it is the sample' : obstacleTo(ownPath);
  }

  /** Returns the faults that would prevent a start with a text, whatever else is wrong with it. */
  function faultsAtStartOf({
    value,
    locatedFaults,
  }: Pick<ProfileReading, 'value' | 'locatedFaults'>): readonly DocumentFault[] {
    if (!isPlainMap(value)) return [];
    const { candidate, owner_email: owner } = value;
    const at = { line: null, column: null };
    const isUnnamed = isPlainMap(candidate) && typeof candidate.name === 'string' && !isVisible(candidate.name);
    const isText = owner === undefined || typeof owner === 'string';
    const isTold = locatedFaults.some(({ path: [key] }) => key === 'owner_email');
    const ownerFault = isText && !isTold ? ownerFaultOf({ owner_email: owner }) : null;
    return [
      ...(isUnnamed ? [{ ...at, path: ['candidate', 'name'], message: 'must not be empty' }] : []),
      ...(ownerFault === null ? [] : [{ ...at, path: ['owner_email'], message: ownerFault }]),
    ];
  }

  async function publishAlone(...args: Parameters<typeof publish>): Promise<PublishRefusal | null> {
    let refusal: PublishRefusal | null = null;
    const obstacle = await replicas.whileAlone(async () => {
      refusal = await publish(...args);
    });
    return obstacle === null ? refusal : { reason: 'unwritable', message: obstacle };
  }

  async function publish(
    text: string,
    baseRevision: string,
    kind: VersionKind,
    admit: (isFirst: boolean) => Promise<'signed-out' | 'changed' | null>,
  ): Promise<PublishRefusal | null> {
    const path = profile.path();
    if (path === null) return { reason: 'at-address', message: 'the profile is at an address' };
    const obstacle = obstacleOf(path);
    if (obstacle !== null) return { reason: 'unwritable', message: obstacle };
    if (Buffer.byteLength(text) > maxDocumentMebibytes * 1024 ** 2)
      return { reason: 'too-large', message: `it is larger than ${maxDocumentMebibytes} MiB` };
    const created = path === samplePath ? ownPath! : isAbsent(path) ? path : null;
    const isFirst = created === path;
    const bytes = isFirst ? Buffer.alloc(0) : readBytes(path);
    // For example after a form was sent twice.
    const isThere = created === null && bytes?.equals(Buffer.from(text)) === true;
    // Checked before the texts are compared: an expired session learns nothing of the file.
    const refused = isFirst ? null : await admit(false);
    if (refused !== null) return refusals[refused];
    if (bytes === null || (!isThere && hash(bytes) !== baseRevision)) return changed;
    const read = readText(text);
    const [fault = faultsAtStartOf(read).map(toFaultText)[0]] = read.faults;
    if (fault !== undefined) return { reason: 'faulty', message: fault };
    if (isThere) return null;
    try {
      // Last, because it ends the other sessions: every other check has passed.
      const notFirst = isFirst ? await admit(true) : null;
      if (notFirst !== null) return refusals[notFirst];
      // It may be a change from outside that no poll has noticed, or a faulty one.
      if (created === null) await keep(bytes.toString(), 'outside');
      const refusal = created === null ? await replaceFile(path, bytes, text) : await createFile(created, text);
      if (refusal !== null) return refusal;
    } catch (error) {
      return { reason: 'unwritable', message: reasonOf(error as NodeJS.ErrnoException) };
    }
    profile.reload();
    // The file is written: if a crash prevents storing the version, the next start notices.
    await keep(text, kind).catch((error: unknown) => {
      unkept.push({ revision: hash(text), text, kind, at: now() });
      retry(error);
    });
    return null;
  }

  return {
    read,
    look,
    check(
      text: string,
    ): Pick<ProfileReading, 'profile' | 'written' | 'views'> & { readonly faults: readonly DocumentFault[] } {
      const read = readText(text);
      return { ...read, faults: [...read.locatedFaults, ...faultsAtStartOf(read)] };
    },

    /**
     * Writes a valid text, reloads the profile and stores the version; null on success. Refuses if the file has another
     * revision; creates it for the revision of the sample or of no file. Mode, owner and a symbolic link stay.
     */
    publish: (
      text: string,
      baseRevision: string,
      kind: Exclude<VersionKind, 'outside'>,
      admit: (isFirst: boolean) => Promise<'signed-out' | 'changed' | null>,
    ) => enqueue(() => publishAlone(text, baseRevision, kind, admit)),

    /** Stores the current text, unless the newest version has it. If that fails, it is retried each second. */
    keepCurrent: (): Promise<void> => enqueue(keepCurrentNow),

    /** Resolves when pending work has ended; nothing is stored after that. */
    async close(): Promise<void> {
      isClosed = true;
      await enqueue(async () => {});
    },
  };
}

const refusals: Readonly<Record<'signed-out' | 'changed', PublishRefusal>> = {
  'signed-out': { reason: 'signed-out', message: 'your session has ended' },
  changed,
};

const readText = (text: string): ProfileReading => readProfileText(text.replace(/^\ufeff/, ''));
