import type { Profile } from 'resume-profile/profile-document';
import type { Theme } from 'resume-profile/resume-design';
import type { openPhotos } from '../../adapters/pdf/photo-file.ts';
import type { openDesignPictures, openPreviews } from '../../adapters/pdf/previews.ts';
import type { photosOf } from '../../adapters/profile/photos.ts';
import type { profileDocumentOf } from '../../adapters/profile/profile-document.ts';
import type { DurableStore } from '../../adapters/store/store.ts';
import type { OpenTokens } from '../../adapters/tokens/tokens.ts';
import type { FailedPrint, PdfState } from '../../model/profile/print-state.ts';
import type { ReadResume } from '../../model/profile/read-resume.ts';
import type { Upkeep } from '../../model/upkeep.ts';
import type { VisitorKey } from '../../model/visitor.ts';
import type { Edition, Services } from '../ports.ts';

/** The services that make links and sessions. Only hashes of both are stored. */
export interface SecretServices extends Pick<Services, 'now' | 'hash'> {
  newSecret(): string;
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
}

/** The services of the owner's operations. They run on one set of adapters, so their types are the adapters'. */
export interface OwnerServices extends SecretServices, Pick<Services, 'audit'> {
  readonly store: DurableStore;
  readonly tokens: Pick<OpenTokens, 'isRevoked' | 'revoke' | 'setView' | 'refresh'>;
  /** Resolves when each process that serves, and reaches the store, has read what is stored now. */
  untilAllRefreshed(): Promise<void>;
  readonly linkCodes: {
    /** Generates the id of a link. Throws `UNAVAILABLE` if there can be no key for its code. */
    newId(): Promise<string>;
    codeOf(id: string): string | null;
  };
  /** Returns the keyed hash of a visitor, as the audit log has it. */
  hashVisitor(visitor: VisitorKey): string;
  /** Removes the files of the mails with these ids; returns how many. */
  removeMailFiles(ids: readonly string[]): Promise<number>;
  /** Rewrites the database, so that the bytes of deleted rows are gone; returns why some are left, null if none are. */
  scrub(): Promise<string | null>;
  readonly limits: Pick<Services['limits'], 'toStored'>;
  views(): Promise<ReadonlySet<string>>;
  readonly profileDocument: Pick<ReturnType<typeof profileDocumentOf>, 'read' | 'check' | 'publish'>;
  readonly photos: ReturnType<typeof photosOf>;
  /** Whether mail is sent, and not written to files. */
  readonly hasMailServer: boolean;
  wakeOutbox(): void;
}

export type SessionTokens = Pick<OpenTokens, 'sign' | 'isRevoked' | 'learnView' | 'revoke'>;

export interface Upload {
  write(chunk: Uint8Array): Promise<void>;
  readAll(): Promise<Buffer>;
  /** Makes a profile document of it. Rejects with a reason to stand after the name of the file. */
  read(signal: AbortSignal): Promise<ReadResume>;
  close(): Promise<void>;
}

/** Further services for operations of the desk: parts of the running service. */
export interface DeskServices extends OwnerServices, Pick<Services, 'edition'> {
  editionOf(profile: Profile): Edition;
  readonly reads: Pick<Services['reads'], 'isOn' | 'keepSeconds'>;
  /** Infinite if messages are kept until they are erased. */
  readonly keepContactsSeconds: number;
  readonly mail: {
    /** The name of the SMTP server, or the folder that gets a file for each mail. */
    readonly destination: { readonly kind: 'smtp' | 'folder'; readonly name: string };
    ownerAddress(): string | undefined;
  };
  profileState(): {
    /** The faults of the file as it is now, or of the text fetched last: `NAME:LINE:COL: message`, or `NAME: message`. */
    readonly faults: readonly string[];
    readonly warnings: readonly string[];
    /** The path of the file, or the address without its secret parts. */
    readonly name: string;
    readonly isAddress: boolean;
    readonly isSample: boolean;
    readonly loadedAt: Date;
    /** The link to the resume that visitors get; null if the resume has no PDF. */
    readonly resumeUrl: string | null;
    readonly failedPrints: readonly FailedPrint[];
    /** The theme of a profile that does not name one; null if a template is used in its place. */
    readonly usualTheme: Theme | null;
  };
  /** Opens a file for an upload; the system removes it however this process ends. */
  openUpload(): Promise<Upload>;
  /** How long the browser of a visitor who asks for it is remembered, in seconds. */
  readonly rememberSeconds: number;
  readonly designPicture: ReturnType<typeof openDesignPictures>;
  readonly prints: {
    retry(): void;
    /** Waits a while for the PDF of the served profile. Null if the PDF is at an address of the owner's own. */
    pdfState(options: { readonly waits: boolean }): Promise<PdfState | null>;
  };
  /** How long a request waits for a slow task, before it is told to look again. */
  readonly waitMilliseconds: number;
  readonly photoOf: ReturnType<typeof openPhotos>;
  readonly previews: ReturnType<typeof openPreviews>;
  upkeep(): Promise<Omit<Upkeep, 'deadLetters'>>;
}
