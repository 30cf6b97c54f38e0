import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

// Stores a contact request and its notice in one durable transaction, again and again, one after the other, and prints how many
// a second. Arguments: the file of the database, and for how many seconds.

const [file = '', seconds = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('pragma journal_mode = wal; pragma synchronous = full');
database.exec(`create table if not exists contacts
  (id text primary key, name text, email text, company text, message text, received_at text)`);
database.exec(`create table if not exists outbox
  (id text primary key, kind text, subject text, text text, created_at text, due_at text)`);
const addContact = database.prepare('insert into contacts values (?, ?, ?, ?, ?, ?)');
const addNotice = database.prepare('insert into outbox values (?, ?, ?, ?, ?, ?)');

const message = 'Hello! '.repeat(40);
const startedAt = performance.now();
const end = startedAt + Number(seconds) * 1_000;
let transactions = 0;
for (; performance.now() < end; transactions += 1) {
  const [id, notice, now] = [
    randomBytes(16).toString('hex'),
    randomBytes(16).toString('hex'),
    new Date().toISOString(),
  ];
  database.exec('begin immediate');
  addContact.run(id, 'Ada', 'ada@example.org', 'Engines', message, now);
  addNotice.run(notice, 'contact_request', 'Contact request', `Ada of Engines writes:\n\n${message}`, now, now);
  database.exec('commit');
}
console.log((transactions * 1_000) / (performance.now() - startedAt));
