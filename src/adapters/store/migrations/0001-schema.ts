import type { Kysely } from 'kysely';

/**
 * The columns of each table, the key first: texts that must not be null, unless followed by `#` (an integer), `?` (may be null)
 * or `=` and a default. Their order is that of earlier migrations, so that SQLite keeps one schema.
 */
const tables = {
  contacts: 'id? name email company message subject? received_at canonical_email= canonical_subject? state=unread jti?',
  issued_tokens: 'jti? subject issued_at expires_at canonical_subject= grant_id? page_report? view?',
  revocations: 'sequence#? kind value revoked_at',
  outbox:
    'id? kind subject text reply_to? created_at attempts# scheduled_at due_at? sent_at? last_error? about= line= words? mail_id? is_part#=0 recipient? thread? visitor? visitor_name?',
  quota_windows: 'key? used# ends_at',
  reads: 'id#? jti subject canonical_subject operation item? surface client? read_at',
  erased_reads: 'jti subject canonical_subject erased_at',
  reader_notes: 'canonical_subject note noted_at seen_at?',
  sign_in_links: 'hash created_at expires_at path used_at?',
  desk_sessions: 'hash created_at expires_at',
  owner_events: 'kind at',
  profile_changes: 'part changes#',
  oauth_clients: 'id metadata registered_at used_at?',
  oauth_grants:
    'id subject canonical_subject is_verified# client_id client_name redirect_uri scope is_for_mcp# created_at expires_at view?',
  oauth_records: 'id grant_id? canonical_subject? payload expires_at consumed_at?',
  verification_codes: 'request_id canonical_subject code_hash tries# expires_at',
  page_sessions: 'hash jti created_at expires_at is_remembered# is_token_shown# unconfirmed_id? draft?',
  replies: 'id contact_id text written_at',
  mail_schedules: 'kind schedule',
  // The texts are last, because SQLite can read the columns before a long text without it.
  profile_versions: 'id#? revision bytes# kind kept_at text',
  profile_drafts: 'id name base_revision revision bytes# saved_at text',
  links: 'id name view until? may_write# made_at opened_at? ended_at?',
};

/** The table and columns of each index; `?` leaves out the rows in which that column is null. */
const indexes = {
  outbox_mail_id: 'outbox mail_id',
  outbox_sent_at: 'outbox sent_at',
  outbox_about: 'outbox kind about',
  // Queried at each new notice, when many may wait and many have been sent.
  outbox_lane_due: 'outbox kind is_part due_at?',
  outbox_lane_sent: 'outbox kind is_part sent_at? mail_id',
  // Has `mail_id`, which is null while a notice waits, because SQLite would otherwise read all waiting notices.
  outbox_words: 'outbox words? mail_id',
  // Has all columns that the desk counts, so that the index suffices.
  contacts_state: 'contacts state received_at',
  contacts_received_at: 'contacts received_at state canonical_subject jti',
  contacts_subject: 'contacts canonical_subject received_at state',
  contacts_email: 'contacts canonical_email',
  contacts_jti: 'contacts jti',
  replies_contact: 'replies contact_id written_at',
  reads_subject: 'reads canonical_subject operation item read_at',
  reads_read_at: 'reads read_at canonical_subject jti operation item',
  reads_token: 'reads jti',
  issued_tokens_subject: 'issued_tokens canonical_subject issued_at',
  issued_tokens_issued_at: 'issued_tokens issued_at canonical_subject',
  issued_tokens_expires_at: 'issued_tokens expires_at',
  issued_tokens_grant: 'issued_tokens grant_id?',
  // Each process reads the few rows with a view every second.
  issued_tokens_view: 'issued_tokens view?',
  oauth_grants_view: 'oauth_grants view?',
  oauth_grants_subject: 'oauth_grants canonical_subject created_at',
  oauth_grants_client: 'oauth_grants client_id',
  oauth_grants_expiry: 'oauth_grants expires_at',
  oauth_clients_registered: 'oauth_clients registered_at',
  oauth_records_grant: 'oauth_records grant_id',
  oauth_records_subject: 'oauth_records canonical_subject',
  oauth_records_expiry: 'oauth_records expires_at',
  verification_codes_subject: 'verification_codes canonical_subject',
  verification_codes_expiry: 'verification_codes expires_at',
  page_sessions_jti: 'page_sessions jti',
  page_sessions_expires_at: 'page_sessions expires_at',
  revocations_value: 'revocations value',
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(tables)) {
    let table = db.schema.createTable(name);
    for (const [index, column] of columns.split(' ').entries()) {
      const [marked = '', initial] = column.split('=');
      const isInteger = marked.includes('#');
      table = table.addColumn(marked.split(/[#?]/, 1)[0]!, isInteger ? 'integer' : 'text', (builder) => {
        const keyed = index === 0 ? builder.primaryKey() : builder;
        const set = initial === undefined ? keyed : keyed.defaultTo(isInteger ? Number(initial) : initial);
        return marked.endsWith('?') ? set : set.notNull();
      });
    }
    await table.execute();
  }
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('contact_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_primary', ['subject', 'key'])
    .execute();
  for (const [name, text] of Object.entries(indexes)) {
    const [table = '', ...columns] = text.split(' ');
    const index = db.schema
      .createIndex(name)
      .on(table)
      .columns(columns.map((column) => column.replace('?', '')));
    const filtered = columns.find((column) => column.endsWith('?'))?.slice(0, -1);
    await (filtered === undefined ? index : index.where(filtered, 'is not', null)).execute();
  }
}
