import type { Profile } from 'resume-profile/profile-document';
import type { PicturedDesign, Theme } from 'resume-profile/resume-design';
import type { ContactState, InboxView, StoredContact } from '../../model/contact.ts';
import type { Link } from '../../model/link.ts';
import type { MailBudget, MailSchedules, Notice, UnsentNotice } from '../../model/notice.ts';
import type { StoredGrant } from '../../model/oauth.ts';
import type {
  DocumentDraft,
  DocumentFault,
  DocumentState,
  DocumentVersion,
  PublishRefusal,
} from '../../model/profile/document-state.ts';
import type { FailedPrint, PdfState } from '../../model/profile/print-state.ts';
import type { PrintedPreview } from '../../model/profile/printed-preview.ts';
import type { ReadResume } from '../../model/profile/read-resume.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import type { Activity, Reader, ReaderFilter } from '../../model/reader.ts';
import type { Reply, StoredReply } from '../../model/reply.ts';
import type { IssuedToken, StoredToken } from '../../model/token.ts';
import type { Upkeep } from '../../model/upkeep.ts';
import type { Presence, VisitEvent } from '../../model/visit.ts';
import type { Visitor, VisitorKey } from '../../model/visitor.ts';
import type { Edition, Services } from '../ports.ts';
import type { SecretServices, SignInStore } from '../sign-in.ts';

/** How many rows of each kind are kept of a visitor. */
type Counts = Readonly<Record<'contacts' | 'tokens' | 'grants' | 'reads' | 'notes', number>>;

/** How much was erased, and the ids of the mails that reported it, whose files are erased next. */
export interface Erased extends Counts {
  readonly mails: readonly string[];
}

type List<Item> = Promise<Item[]>;

/** The store, as the owner works through it. */
interface OwnerStore {
  readonly contacts: {
    list(visitor?: Visitor): List<StoredContact>;
    listByIdPrefix(prefix: string): List<StoredContact>;
    listIn(view: InboxView, part?: { readonly offset: number; readonly limit: number }): List<StoredContact>;
    listSince(since: Date, limit: number): Promise<{ messages: StoredContact[]; total: number }>;
    find(id: string): Promise<StoredContact | null>;
    countUnread(): Promise<number>;
    /** With `from`, only if it is in that state. */
    setState(id: string, state: ContactState, from?: ContactState): Promise<void>;
  };
  readonly replies: {
    /** Stores a reply with its mail, unless it is stored already; returns whether it did. Throws `RATE_LIMITED`. */
    add(reply: Reply, mail: Notice, charges: readonly QuotaCharge[]): Promise<boolean>;
    /** Lists the replies to a contact request, the oldest first. */
    listOf(contactId: string): List<StoredReply>;
  };
  readonly links: {
    /** Stores a link; returns false, and stores nothing, if there are too many that have not ended. */
    add(link: Omit<Link, 'openedAt' | 'endedAt'>): Promise<boolean>;
    find(id: string): Promise<Link | null>;
    /** Lists all, also those that have ended, the latest first. */
    list(): List<Link>;
    rename(id: string, name: string): Promise<void>;
    /** Marks a link as ended; returns false if it had ended before. No opening is under way meanwhile. */
    end(id: string, at: Date): Promise<boolean>;
  };
  readonly visitors: {
    traces(visitor: Visitor): Promise<object>;
    /** Counts what `erase` would erase. */
    count(visitor: Visitor): Promise<Counts>;
    erase(visitor: Visitor): Promise<Erased>;
    /** Erases one contact request with its notice. */
    eraseContact(id: string): Promise<Erased>;
  };
  readonly tokens: {
    listUnexpired(
      now: Date,
      which?: { jti?: string; canonical_subject?: VisitorKey; grant_id?: string },
    ): List<StoredToken>;
    listOf(visitors: readonly VisitorKey[], limit?: number): List<StoredToken>;
  };
  readonly oauth: {
    readonly grants: {
      find(id: string, now: Date): Promise<StoredGrant | null>;
      listUnexpired(now: Date, which?: { canonical_subject?: VisitorKey }): List<StoredGrant>;
      /** Also what has ended. */
      listOf(visitors: readonly VisitorKey[], limit?: number): List<StoredGrant>;
      end(id: string, now: Date): Promise<void>;
    };
  };
  readonly readers: {
    list(filter: ReaderFilter, limit: number): Promise<{ readers: Reader[]; total: number | null }>;
    count(filter: ReaderFilter): Promise<number | null>;
    /** Yields the keys of all readers in batches, first those seen last. */
    keys(): AsyncIterable<readonly VisitorKey[]>;
    activitySince(since: Date): List<Activity>;
    firstAt(): Promise<Date | null>;
    presence(from: Date, to: Date): List<Presence>;
    eventsOf(
      visitors: readonly VisitorKey[],
      since: Date,
      limit: number,
    ): List<VisitEvent & Pick<Presence, 'record' | 'visitor'>>;
    note(visitor: VisitorKey, note: string, now: Date): Promise<void>;
  };
  readonly outbox: {
    listUnsent(now: Date): List<UnsentNotice>;
    budgets(now: Date): List<MailBudget>;
    schedules(): Promise<MailSchedules>;
    setSchedules(schedules: MailSchedules): Promise<void>;
    state(): Promise<{ readonly dead: number }>;
    retryDead(now: Date, id?: string): Promise<number>;
  };
  /** The texts that the profile document has had, the newest first. */
  readonly profileVersions: {
    list(): List<Omit<DocumentVersion, 'text'>>;
    find(id: number): Promise<DocumentVersion | null>;
    /** Returns the version before one; null if it is the oldest. */
    findBefore(id: number): Promise<DocumentVersion | null>;
    findText(revision: string): Promise<string | null>;
    /** Removes all; returns how many there were. */
    erase(): Promise<number>;
  };
  readonly profileDrafts: {
    /**
     * Stores a draft, beside the replaced one if that has another revision by now; returns its id, or null if there are
     * too many. Throws `UNAUTHORIZED` if the session that saves it has ended.
     */
    save(
      draft: Omit<DocumentDraft, 'id' | 'bytes'>,
      replaced?: Pick<DocumentDraft, 'id' | 'revision'>,
      session?: string,
    ): Promise<string | null>;
    /** Lists them, the latest first. */
    list(now: Date): List<Omit<DocumentDraft, 'text'>>;
    find(id: string, now: Date): Promise<DocumentDraft | null>;
    /** Removes a draft, with a revision only if it still has that; returns whether it did. */
    remove(id: string, revision?: string): Promise<boolean>;
  };
  readonly desk: Pick<SignInStore['desk'], 'addLink' | 'hasSession' | 'endSession' | 'endSessions'> & {
    /**
     * Prepares the first profile: ends every other session of the setup code, all links, and all drafts but one, in one
     * transaction. In a database that is not new, where the code opens nothing, it ends nothing. Returns false, and ends
     * nothing, if the session that publishes has ended; it is undefined for a command.
     */
    beginFirstProfile(
      by: { readonly session: string | undefined; readonly draft: string | undefined },
      now: Date,
    ): Promise<boolean>;
    /** Turns a session of the setup code into the owner's, and ends those that the code has opened meanwhile. */
    keepSession(id: string): Promise<void>;
    /** Records a visit, if the desk is opened; returns when the one before ended, and whether there was none before. */
    visit(now: Date, isOpened: boolean): Promise<{ before: Date | null; isFirst: boolean }>;
  };
}

/** The services of the owner's operations, at the desk and in the terminal. */
export interface OwnerServices extends SecretServices, Pick<Services, 'audit'> {
  readonly store: OwnerStore;
  readonly tokens: {
    isRevoked(token: IssuedToken): boolean;
    /** Revokes one token, every token of a subject, or all tokens. */
    revoke(
      target: { kind: 'jti'; jti: string } | { kind: 'subject'; subject: Visitor } | { kind: 'all' },
    ): Promise<void>;
    /** Sets the view that a token, or the tokens of a grant, read from their next request on; null for the whole profile. */
    setView(
      target: { readonly kind: 'jti'; readonly jti: string } | { readonly kind: 'grant'; readonly id: string },
      view: string | null,
    ): Promise<void>;
    /** Reads what other processes have revoked. */
    refresh(): Promise<void>;
  };
  /** Resolves when each process that serves, and reaches the store, has read what is stored now. */
  untilAllRefreshed(): Promise<void>;
  readonly linkCodes: {
    /** Generates the id of a link. Throws `UNAVAILABLE` if there can be no key for its code. */
    newId(): Promise<string>;
    /** Returns the code of a link; null without a key for codes. */
    codeOf(id: string): string | null;
  };
  /** Returns the keyed hash of a visitor, as the audit log has it. */
  hashVisitor(visitor: VisitorKey): string;
  /** Removes the files of the mails with these ids; returns how many. */
  removeMailFiles(ids: readonly string[]): Promise<number>;
  /** Rewrites the database, so that the bytes of deleted rows are gone; returns why some are left, null if none are. */
  scrub(): Promise<string | null>;
  readonly limits: Pick<Services['limits'], 'toStored'>;
  /** The names of the views of the profile. */
  views(): Promise<ReadonlySet<string>>;
  readonly profileDocument: {
    read(): Promise<DocumentState>;
    /** Returns the profile that a text describes, or null and its faults. */
    check(text: string): {
      readonly profile: Profile | null;
      /** The same with its experience in the order of the text. */
      readonly written: Profile | null;
      readonly views: { readonly names: ReadonlySet<string>; resolve(name: string): Profile | null };
      readonly faults: readonly DocumentFault[];
    };
    /**
     * Replaces the document if it still has the revision, and keeps the version; returns null if it did. `admit` is
     * called once before anything is written; `isFirst` is true if no profile is served, so that the file is created.
     */
    publish(
      text: string,
      baseRevision: string,
      kind: 'published' | 'restored',
      admit: (isFirst: boolean) => Promise<boolean>,
    ): Promise<PublishRefusal | null>;
  };
  /** The photos that were uploaded, in files beside the profile document. */
  readonly photos: {
    /** Writes one, and returns its name. Throws a reason to stand after the name of the uploaded file. */
    add(file: Buffer): Promise<string>;
    /** Returns the names of those that are older than an hour. */
    list(): List<string>;
    remove(names: readonly string[]): Promise<void>;
  };
  /** Whether mail is sent, and not written to files. */
  readonly hasMailServer: boolean;
  /** Tells a running outbox that mail is due. */
  wakeOutbox(): void;
}

/** The profile document, and what is served of it. */
export interface ProfileState {
  /** Of the file as it is now, or what was fetched last; each is `NAME:LINE:COL: message`, or `NAME: message`. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** The path of the file, or the address without what may be secret in it. */
  readonly name: string;
  readonly isAddress: boolean;
  readonly isSample: boolean;
  /** When the profile that is served was read. */
  readonly loadedAt: Date;
  /** The link to the resume that visitors get; null if the resume has no PDF. */
  readonly resumeUrl: string | null;
  readonly failedPrints: readonly FailedPrint[];
  /** The theme of a profile that does not name one; null if a template is used in its place. */
  readonly usualTheme: Theme | null;
}

interface Photo {
  readonly format: 'jpg' | 'png';
  readonly bytes: Uint8Array;
}

/** A file that is uploaded. */
export interface Upload {
  write(chunk: Uint8Array): Promise<void>;
  /** Returns what was written. */
  readAll(): Promise<Buffer>;
  /** Makes a profile document of it. Rejects with a reason to stand after the name of the file. */
  read(signal: AbortSignal): Promise<ReadResume>;
  close(): Promise<void>;
}

/** The running service, which operations of the desk alone use besides. */
export interface DeskServices extends OwnerServices, Pick<Services, 'edition'> {
  /** Returns the edition that a profile would be served as. */
  editionOf(profile: Profile): Edition;
  readonly reads: Pick<Services['reads'], 'isOn' | 'keepSeconds'>;
  /** Infinite if messages are kept until they are erased. */
  readonly keepContactsSeconds: number;
  readonly mail: {
    /** The name of the SMTP server, or the folder that gets a file for each mail. */
    readonly destination: { readonly kind: 'smtp' | 'folder'; readonly name: string };
    /** The owner's address, undefined if none is set. */
    ownerAddress(): string | undefined;
  };
  profileState(): ProfileState;
  /** Opens a file for what is uploaded; the system removes it however this process ends. */
  openUpload(): Promise<Upload>;
  /** How long the browser of a visitor who asks for it is remembered, in seconds. */
  readonly rememberSeconds: number;
  /** Prints the first page of a profile in another design, as a PNG; null if it cannot be printed. */
  designPicture(profile: Profile, design: PicturedDesign): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The prints that visitors get. */
  readonly prints: {
    failed(): readonly FailedPrint[];
    /** Tries those that failed at once. */
    retry(): void;
    /** Waits a while for the PDF of the profile as it is served. Null if that is an address of the owner's own. */
    pdfState(options: { readonly waits: boolean }): Promise<PdfState | null>;
  };
  /** How long a request waits for what takes long, before it is told to look again. */
  readonly waitMilliseconds: number;
  /** Returns the photo of a profile; null if it names none, or that cannot be read. */
  photoOf(profile: Profile): Photo | null;
  /** The profiles that the owner looked at last, published or not, by the revisions of their texts. */
  readonly previews: {
    keep(revision: string, profile: Profile): void;
    profileOf(revision: string): Profile | null;
    /** Returns what is printed already; null if nothing is. */
    printedOf(revision: string): PrintedPreview | null;
    /** Prints a kept profile; null if it is not kept, or not needed and another was asked for while it waited. */
    print(revision: string, isNeeded: boolean): Promise<PrintedPreview | { readonly fault: string } | null>;
  };
  upkeep(): Promise<Omit<Upkeep, 'deadLetters'>>;
}
