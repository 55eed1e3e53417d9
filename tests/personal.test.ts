import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { tidy } from '#/app/tidy.ts';
import { kept } from '#/features/accounts/deletion/rules.ts';
import { awaitCode } from '#/features/accounts/emailed-codes/commands.ts';
import { exportDownload, ownExport, requestExport } from '#/features/accounts/export/commands.ts';
import { setLetter } from '#/features/notifications/rules.ts';
import { unsubscribeLinks } from '#/features/notifications/unsubscribe/commands.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { entriesOf } from './support/archive.ts';
import { authSecret, testDatabase } from './support/database.ts';
import { freshSession } from './support/people.ts';
import {
  addressColumns,
  catalogueOf,
  fillPerson,
  personColumns,
  type FilledRow,
  type Overrides,
} from './support/person-rows.ts';

const nobodys: Readonly<Record<string, string>> = {
  audit_checks: 'what the last walk over the log found',
  audit_days: 'how many entries of the log each day has',
  audit_erased: 'the numbers of erased accounts',
  audit_kinds: 'what entries of the log say, without ids',
  audit_seals: 'the hashes of the log’s entries',
  audit_unsealed: 'numbers of the log’s entries that wait for their seal',
  buckets: 'what kinds of files there are',
  failed_answers: 'how many answers failed in each minute',
  file_leftovers: 'numbers of bytes that are about to be deleted',
  listing_changes: 'when the directory grew or shrank',
  rate_limits: 'counts under hashes and numbers, gone after a day',
  resource_words: 'the words of what the library has published',
  cities: 'the cities of the world',
  services: 'the catalogue',
  session_counts: 'how many sessions begin at each moment',
  session_counts_changed: 'the moments to recount',
  tallies: 'totals of accounts and offered hours',
  session_days: 'how many sessions begin on each day',
  openid_requests: 'people on their way through a provider, gone within minutes, and with the account',
  outbox: 'ids on their way to open screens, gone at once',
  program_keys: 'what signs access tokens, sealed',
  passkey_challenges: 'what browsers were asked to sign, under hashes, gone after an hour',
  site_settings: 'what the site is called and how it works',
};

/** Columns left out of the archive. The person's own secrets are deleted with the account; others' data stays. */
type Withheld = Readonly<Record<string, { of: 'own' | 'others'; columns: readonly string[] | 'all' }>>;

const noteColumns = [
  'id',
  'provider_id',
  'client_id',
  'appointment_id',
  'text',
  'written_at',
  'changed_at',
  'version',
];

const withheld: Withheld = {
  'credentials.user_id': {
    of: 'own',
    columns: [
      'password',
      'access_token',
      'refresh_token',
      'id_token',
      'access_token_expires_at',
      'refresh_token_expires_at',
    ],
  },
  'sessions.user_id': { of: 'own', columns: ['token', 'author_key', 'passkey_key'] },
  'author_keys.person_id': { of: 'own', columns: ['by_password', 'by_recovery_key'] },
  'known_devices.user_id': { of: 'own', columns: ['token'] },
  // These tokens allow signing in.
  'address_changes.user_id': { of: 'own', columns: ['token', 'position'] },
  'second_factors.user_id': { of: 'own', columns: ['secret', 'last_counter'] },
  // Names and keys of the account inside authenticators.
  'passkeys.user_id': {
    of: 'own',
    columns: ['credential_id', 'user_handle', 'public_key', 'counter', 'backup_eligible', 'author_key'],
  },
  // Only the site's tokens have a maker, who leaves them behind.
  'api_tokens.user_id': { of: 'own', columns: ['token', 'made_by'] },
  'api_tokens.made_by': { of: 'others', columns: 'all' },
  'backup_codes.factor_id': { of: 'own', columns: 'all' },
  'verifications.value': { of: 'own', columns: ['identifier'] },
  // A password, and the hash that identifies the sign-up's browser.
  'sign_in_codes.user_id': { of: 'own', columns: ['address', 'device', 'network', 'code', 'tries'] },
  'sign_ups.email': { of: 'own', columns: ['password', 'proof'] },
  // Hashes of tokens, and sign-ins that last minutes, or an emailed link's time.
  'program_tokens.session_id': { of: 'own', columns: 'all' },
  'program_sign_ins.user_id': {
    of: 'own',
    columns: ['password', 'code_id', 'challenge', 'redirect', 'code', 'sign_up_id', 'identity_id'],
  },
  'bookings.client_id': { of: 'own', columns: ['fingerprint'] },
  'series_changes.person_id': { of: 'own', columns: ['fingerprint'] },
  // The database recomputes these whenever the hours change.
  'openings.provider_id': { of: 'own', columns: ['first_free_at', 'version'] },
  'calendar_feeds.person_id': { of: 'own', columns: ['token_hash'] },
  'files.owner_id': { of: 'own', columns: ['object'] },
  // The actor's identity is the actor's own data.
  'audit_entries.subject_id': { of: 'others', columns: ['actor_id'] },
  // A specialist's export must not reveal their clients.
  'appointments.provider_id': {
    of: 'others',
    columns: [
      'client_id',
      'contact_name',
      'contact_email',
      'contact_phone',
      'client_time_zone',
      'cancelled_by',
      'sealed_cancel_reason',
    ],
  },
  'appointments.cancelled_by': { of: 'others', columns: 'all' },
  'conversations.provider_id': { of: 'others', columns: ['client_id'] },
  // Access records outlive the administrator's account.
  'emergency_accesses.opened_by': { of: 'others', columns: 'all' },
  'waits.provider_id': { of: 'others', columns: 'all' },
  'reviews.provider_id': { of: 'others', columns: 'all' },
  'shares.provider_id': { of: 'others', columns: 'all' },
  // Notes are in no archive, and deleting either account deletes them.
  'session_notes.provider_id': { of: 'own', columns: noteColumns },
  'session_notes.client_id': { of: 'own', columns: noteColumns },
  'private_notes.provider_id': { of: 'own', columns: [...noteColumns, 'by_author'] },
  'private_notes.client_id': { of: 'own', columns: [...noteColumns, 'by_author'] },
  'prayer_requests.provider_id': { of: 'others', columns: 'all' },
  'contact_messages.closed_by': { of: 'others', columns: 'all' },
  // The answer belongs to the person it was written to.
  'contact_answers.author_id': { of: 'others', columns: 'all' },
  'contact_answers.message_id': { of: 'own', columns: ['author_id'] },
  // The decision belongs to the specialist, the decider's identity to the administrator.
  'provider_credentials.provider_id': { of: 'others', columns: ['decided_by'] },
  'provider_credentials.decided_by': { of: 'others', columns: 'all' },
  'provider_applications.person_id': { of: 'others', columns: ['decided_by'] },
  'provider_applications.decided_by': { of: 'others', columns: 'all' },
  'contact_messages.person_id': { of: 'own', columns: ['form_id', 'person_id', 'closed_by', 'sealed_note'] },
  'contact_messages.email': { of: 'own', columns: ['form_id', 'person_id', 'closed_by', 'sealed_note'] },
  // This token opens the invitation.
  'session_guests.person_id': { of: 'own', columns: ['token_hash'] },
  'session_guests.email': { of: 'own', columns: ['token_hash'] },
  'client_claims.person_id': { of: 'own', columns: 'all' },
  // Hashes of other people's addresses.
  'client_opt_outs.provider_id': { of: 'others', columns: 'all' },
  'booking_requests.email': { of: 'own', columns: ['token_hash'] },
  // This token unsubscribes the person.
  'mails.recipient': { of: 'own', columns: ['sealed_unsubscribe_url'] },
  'mails.reply_to': { of: 'own', columns: ['sealed_unsubscribe_url'] },
};

/** Site rows that reference the person, such as their last editor: only the reference is deleted. */
const siteRows: Readonly<Record<string, readonly string[]>> = {
  'feature_flags.modified_by': [],
  'feature_flag_users.person_id': [],
  'backups.requested_by': [],
  'site_settings_history.changed_by': [],
  'devotionals.edited_by': ['reference', 'text', 'thought', 'prayer', 'version'],
};

/** Encrypted columns by table. */
const sealed: Readonly<Record<string, readonly string[]>> = {
  second_factors: ['secret'],
  goals: ['title', 'why'],
  goal_steps: ['text'],
  journal_entries: ['title', 'text'],
  prayer_requests: ['text'],
  prayer_answers: ['note'],
  conversations: ['subject'],
  messages: ['text'],
  message_drafts: ['text'],
  attachments: ['name'],
  application_documents: ['name'],
  emergency_accesses: ['reason'],
  session_notes: ['text'],
  private_notes: ['text'],
  profiles: ['sealed_tradition', 'sealed_focus'],
  appointments: ['sealed_cancel_reason', 'sealed_moved_reason'],
  booking_requests: ['sealed_input'],
  mails: ['sealed_subject', 'sealed_text', 'sealed_html', 'sealed_attachments', 'sealed_unsubscribe_url'],
  contact_messages: ['sealed_name', 'sealed_subject', 'sealed_message', 'sealed_note'],
  contact_answers: ['sealed_text'],
};

const address = 'ruth.zq0amsel@people.example';
const addressTyped = 'Ruth.ZQ0Amsel@People.Example';

const { db, as, setNow, runJobs, folder, readMails } = await testDatabase();
const person = { kind: 'person', id: newId(), role: 'doctor', sessionId: newId() } as const;
const other = newId();
/** A client record that a specialist created with this person's address. */
const entered = newId();
const system = as({ kind: 'system' });
const catalogue = await catalogueOf(db);
const paths = personColumns(catalogue);

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF\n`);
const bytesMark = 'zq0-in-the-bytes-of-a-file';

const zone = 'Antarctica/Troll';
const zoneOf = (_id: string, cast: { person: string }) =>
  cast.person === person.id ? zone : 'Europe/Vienna';

/** Values the catalog can't supply. */
const overrides: Overrides = {
  users: { id: (_id: string, cast: { person: string }) => cast.person },
  'users.id': {
    email: (_id: string, cast: { person: string }) =>
      cast.person === person.id ? address : 'other@people.example',
  },
  profiles: {
    role: 'doctor',
    time_zone: zoneOf,
    delete_after: null,
    erased_at: null,
    photo_id: null,
    spiritual_tradition: '',
    mental_health_focus: [],
    sealed_focus: (id: string) => JSON.stringify([`zq0xfocus${id.replaceAll('-', '')}`]),
  },
  sign_ups: { email: address },
  linked_identities: { email: address },
  // In the past, so the account isn't on hold and its encrypted data isn't locked.
  address_changes: { changed_at: '2020-01-01T00:00:00Z' },
  exports: { state: 'failed', file_id: null },
  // An earlier archive, excluded from the new one; a real file is uploaded separately.
  files: { bucket: 'exports', sealed_key: null },
  // An undeliverable email, so its error is searched too.
  mails: {
    subject: '',
    text_body: '',
    html_body: '',
    attachments: null,
    unsubscribe_url: null,
    sealed_attachments: (id: string) =>
      JSON.stringify([
        { filename: 'a.ics', contentType: 'text/calendar', content: `zq0xcalendar${id.replaceAll('-', '')}` },
      ]),
    sent_at: null,
  },
  'mails.recipient': { recipient: addressTyped },
  'mails.reply_to': { recipient: 'support@italk.example', reply_to: addressTyped },
  audit_entries: { subject_kind: 'person', address_mark: null },
  audit_personal: { salt: null },
  // Text from an earlier release, which the archive can read.
  journal_entries: { by_author: false },
  private_notes: { by_author: false },
  devotionals: { day: '01-01' },
  backups: { origin: 'person', state: 'done', reason: null },
  providers: {
    time_zone: zoneOf,
    session_types: ['online'],
    session_lengths: [60],
    buffer_minutes: 30,
    notice_hours: 48,
    daily_maximum: 5,
    rest_kind: 'sabbath',
    rest_latitude: 48.2,
    rest_longitude: 16.4,
    rest_time_zone: zoneOf,
  },
  provider_credentials: { state: 'approved', replaces: null },
  provider_applications: { status: 'approved', time_zone: zoneOf },
  'provider_applications.decided_by': { time_zone: 'Europe/Vienna' },
  appointments: {
    client_time_zone: 'Europe/Vienna',
    expired: false,
    cancel_reason: null,
    moved_reason: null,
  },
  // Expired, so the waiting list job doesn't parse the filled-in text as hours.
  waits: {
    until_date: '2026-01-05',
    duration_minutes: 60,
    weekdays: [1],
    day_parts: ['morning'],
    ended_at: null,
  },
  'waits.client_id': { time_zone: zone },
  'waits.provider_id': { time_zone: 'Europe/Vienna', appointment_id: null },
  'appointments.client_id': { client_time_zone: zone, contact_email: address },
  weekly_hours: { from_time: '09:00', to_time: '17:00' },
  time_blocks: { starts_at: '2030-01-01T10:00:00Z', ends_at: '2030-01-01T11:00:00Z' },
  resources: {
    form: 'article',
    url: null,
    file_id: null,
    file_name: null,
    file_type: null,
    file_size: null,
    cover_id: null,
    variants: [{}, { status: 'published', reject_reason: null }],
  },
  'prayer_requests.client_id': { state: 'closed', provider_id: null },
  'prayer_requests.provider_id': { state: 'open' },
  conversations: { last_seq: 3 },
  messages: {
    client_id: (_id: string, cast: { person: string }) => cast.person,
    provider_id: (_id: string, cast: { other: string }) => cast.other,
  },
  reviews: {
    decided_at: null,
    reason: null,
    featured: false,
    appointment_id: null,
  },
  review_replies: { state: 'waiting', decided_at: null, reason: null },
  contact_messages: {
    state: 'closed',
    email: 'other@people.example',
    name: '',
    subject: '',
    message: '',
    note: '',
  },
  'contact_messages.person_id': { email: 'zq0xtyped@people.example' },
  'contact_messages.email': { person_id: null, email: addressTyped },
  'session_guests.person_id': { email: 'zq0xinvited@people.example' },
  'session_guests.email': { person_id: null, email: addressTyped },
  'client_records.email': { person_id: entered, email: address },
  // One pending request and one already booked.
  booking_requests: {
    variants: [
      {
        email: address,
        booking_id: null,
        input: null,
        sealed_input: (id: string) => JSON.stringify({ words: `zq0xasked${id.replaceAll('-', '')}` }),
      },
      { email: null, input: null, sealed_input: null },
    ],
  },
};

function sealIt(table: string, column: string, id: string, text: string): string {
  if (!sealed[table]?.includes(column)) return text;
  const { keyring, privateNotes } = system;
  return (table === 'private_notes' ? privateNotes : keyring).seal(text, `${table}.${column}:${id}`);
}

let filled: FilledRow[] = [];
let archive: Map<string, Buffer>;

beforeAll(async () => {
  setNow('2026-03-02T12:00:00Z');
  // Base data already has every day of the year.
  await db.deleteFrom('devotionals').where('day', '=', '01-01').execute();
  await createEntered();
  filled = await fillPerson(db, catalogue, { person: person.id, other }, overrides, sealIt);
  await system.files.upload(system, {
    bucket: 'documents',
    ownerId: person.id,
    name: 'zq0-a-letter.pdf',
    body: pdf(bytesMark),
  });
  await mailAll();
  const asker = as(await freshSession(db, person));
  const { id } = await requestExport(asker);
  await runJobs();
  const made = await ownExport(asker, id);
  if (!made.download) throw new Error(`the export is ${made.state}`);
  const { bytes } = await exportDownload.make(asker, new URLSearchParams({ id }));
  archive = await entriesOf(Buffer.from(await new Response(bytes).arrayBuffer()));
});

async function createEntered(): Promise<void> {
  const [name, email] = ['Boaz Field', 'boaz@people.example'];
  await db.insertInto('users').values({ id: entered, name, email, image: null }).execute();
  await db
    .insertInto('profiles')
    .values({ id: entered, full_name: name, time_zone: null, photo_id: null })
    .execute();
}

/** Sends the product's own emails that contain tokens, plus those for contact messages. */
async function mailAll(): Promise<void> {
  await db.updateTable('users').set({ email_verified: false }).where('id', '=', person.id).execute();
  await transact(system, async (tx) => {
    await tx.emit(tx, 'accounts.verification_requested', { userId: person.id, next: '/home' });
    await tx.emit(tx, 'accounts.password_reset_requested', { userId: person.id, next: '/home' });
    await tx.emit(tx, 'accounts.exists_notice', { userId: person.id, next: '/home' });
    const asked = { address: newId(), device: newId(), network: null };
    const codeId = await awaitCode(tx, { ...asked, userId: person.id });
    await tx.emit(tx, 'accounts.confirmation_code_requested', { codeId });
  });
  await runJobs();
  await db.updateTable('users').set({ email_verified: true }).where('id', '=', person.id).execute();
  const appUrl = 'https://italk.example';
  const { page, oneClick } = unsubscribeLinks({ appUrl, secret: authSecret }, 'devotional', person.id);
  const words = {
    text: ['zq0 words of the morning'],
    action: { label: 'Read', url: `${appUrl}/devotional` },
  };
  const letter = { subject: 'The morning', name: null, ...words };
  const site = {
    appUrl,
    siteName: 'iTalk Health',
    supportEmail: 'support@italk.example',
    locale: 'en',
  } as const;
  await sendMail(system, {
    key: `devotional:2026-03-02:${person.id}`,
    kind: 'devotional',
    to: address,
    ...setLetter({ ...letter, unsubscribe: { label: 'Stop', url: page } }, site),
    unsubscribeUrl: oneClick,
  });
  for (const { values } of filled.filter(
    ({ table, path }) => table === 'contact_messages' && path !== 'closed_by',
  )) {
    const [id, email] = [String(values.id), String(values.email)];
    const mail = { subject: 'zq0 words', text: 'zq0 words', html: 'zq0 words' };
    await sendMail(
      system,
      { ...mail, key: `${id}:support`, kind: 'contact_message', to: 'support@italk.example', replyTo: email },
      { ...mail, key: `${id}:receipt`, kind: 'contact_receipt', to: email },
    );
  }
}

function archived(table: string): Record<string, unknown>[] {
  const [path] = [...archive.keys()].filter((name) => name.endsWith(`/${table}.json`));
  return path === undefined ? [] : (JSON.parse(archive.get(path)!.toString()) as Record<string, unknown>[]);
}

function plain(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return new Date(value).toISOString();
    return /^[[{]/.test(value) ? JSON.stringify(JSON.parse(value)) : value;
  }
  return JSON.stringify(value) ?? '';
}

function owed({ table, path, values }: FilledRow): string[] {
  const without = withheld[`${table}.${path}`]?.columns ?? siteRows[`${table}.${path}`] ?? [];
  // The archive as a whole already names the owner.
  return Object.keys(values).filter(
    (name) =>
      without !== 'all' &&
      !without.includes(name) &&
      values[name] !== person.id &&
      // These columns' content is encrypted in another column.
      !['', '[]'].includes(plain(values[name])),
  );
}

describe('every table', () => {
  test('is either filled for a person or listed as holding no personal data', () => {
    const named = [...catalogue.keys()].filter((table) => !paths.has(table));
    expect(named.toSorted()).toEqual(Object.keys(nobodys).toSorted());
    expect([...new Set(filled.map(({ table }) => table))].toSorted()).toEqual([...paths.keys()].toSorted());
  });

  test.each([...paths.keys()])('has every value of %s in the archive', (table) => {
    const rows = archived(table).map((row) => new Set(Object.values(row).map(plain)));
    for (const row of filled.filter((one) => one.table === table)) {
      const values = owed(row);
      if (values.length === 0) continue;
      const lacking = rows.map((found) =>
        values.filter((name) => row.values[name] !== null && !found.has(plain(row.values[name]))),
      );
      const fewest = lacking.toSorted((a, b) => a.length - b.length)[0] ?? values;
      expect(fewest, `${table} by ${row.path}: what the archive lacks`).toEqual([]);
    }
  });
});

test('fills every address column with the person’s address', () => {
  const lacking = [...paths.keys()].flatMap((table) =>
    addressColumns(catalogue, table)
      .filter(
        (column) =>
          !filled.some((row) => row.table === table && String(row.values[column]).toLowerCase() === address),
      )
      .map((column) => `${table}.${column}`),
  );
  expect(lacking).toEqual([]);
  const all = [...paths.keys()].flatMap((table) =>
    addressColumns(catalogue, table).map((one) => `${table}.${one}`),
  );
  expect(all).toEqual(
    expect.arrayContaining([
      'appointments.contact_email',
      'contact_messages.email',
      'mails.recipient',
      'mails.reply_to',
      'users.email',
    ]),
  );
});

describe('the archive', () => {
  test('has a self-contained page to read, and lists what is left out', () => {
    const index = archive.get('index.html')!.toString();
    expect(index).toContain(address);
    expect(index).not.toMatch(/<script|<img|<link|(?:src|href)="(?:https?:)?\/\//);
    const leftOut = archive.get('left-out.html')!.toString();
    expect(leftOut).toContain('Your password');
    expect(leftOut).toContain('Your clients’ names and contact details');
    expect(leftOut).toContain('Only their author can open them');
    expect(leftOut).toContain('so no export includes them. You can read them');
  });

  test('contains stored files byte for byte, and each table as CSV', () => {
    expect(archive.get('files/zq0-a-letter.pdf')).toEqual(pdf(bytesMark));
    for (const name of archive.keys()) {
      if (!name.endsWith('.json')) continue;
      expect(archive.has(name.replace(/json$/, 'csv')), name).toBe(true);
    }
  });

  test('contains no secrets of the person and no data of others', () => {
    const words = [...archive.values()].map((bytes) => bytes.toString('latin1')).join('\n');
    const secrets = filled.flatMap(({ table, path, values }) => {
      const without = withheld[`${table}.${path}`];
      if (!without || without.columns === 'all') return [];
      return without.columns.flatMap((name) =>
        [values[name]]
          .flat()
          .filter((value): value is string => typeof value === 'string' && value.startsWith('zq')),
      );
    });
    expect(secrets.length).toBeGreaterThan(8);
    expect(secrets.filter((secret) => words.includes(secret))).toEqual([]);
  });
});

test('exports no passwords, sign-in sessions or emailed tokens', async () => {
  const everything = [...archive.values()].map((bytes) => bytes.toString('latin1')).join('\n');
  const [passwords, sessions, links, mails] = await Promise.all([
    db.selectFrom('credentials').select('password as secret').where('user_id', '=', person.id).execute(),
    db.selectFrom('sessions').select('token as secret').where('user_id', '=', person.id).execute(),
    db.selectFrom('verifications').select('identifier as secret').where('value', '=', person.id).execute(),
    readMails(),
  ]);
  const mailed = mails.flatMap(({ text_body, html_body, unsubscribe_url }) => [
    ...`${text_body}\n${html_body}\n${unsubscribe_url}`.matchAll(/(?:[?&;]\w+=|#)([\w.%-]{30,})/g),
  ]);
  const secrets = [
    ...[...passwords, ...sessions, ...links].map(({ secret }) => secret),
    ...new Set(mailed.map(([, token]) => token!)),
  ];
  // Password, sign-in session, stored and emailed links with their hashes, and the unsubscribe link.
  expect(secrets.length).toBeGreaterThanOrEqual(8);
  expect(secrets).not.toContain(null);
  expect(secrets.filter((secret) => everything.includes(secret!))).toEqual([]);
  const mailsThere = archived('mails');
  const bodyOf = (subject: string) => mailsThere.find((mail) => mail.subject === subject)!.text_body;
  expect(bodyOf('Choose a new password')).toBeNull();
  expect(bodyOf('Verify your email address')).toBeNull();
  expect(bodyOf('Confirm it’s you on iTalk Health')).toBeNull();
  expect(bodyOf('The morning')).toContain('zq0 words of the morning');
  expect(archive.get('left-out.html')!.toString()).toContain('the keys in other links');
});

describe('after the deletion grace period', () => {
  const personal = () =>
    new Set(
      [
        address,
        bytesMark,
        'zq0-a-letter',
        'zq0 words',
        'zq0xtyped',
        'zq0xinvited',
        zone,
        ...filled
          .filter(({ table, path }) => siteRows[`${table}.${path}`] === undefined)
          .flatMap(({ table, path, values }) => {
            const without = withheld[`${table}.${path}`];
            const others = without?.of === 'others' ? without.columns : [];
            return Object.entries(values)
              .filter(([name]) => others !== 'all' && !others.includes(name))
              .flatMap(([, value]) => JSON.stringify(value).match(/zq\d+x\w+/g) ?? []);
          }),
      ].map((word) => word.toLowerCase()),
    );

  test('leaves no personal data in the database except for listed exceptions', async () => {
    await db
      .updateTable('profiles')
      .set({ delete_after: new Date('2026-03-16T12:00:00Z') })
      .where('id', '=', person.id)
      .execute();
    setNow('2026-03-16T13:00:00Z');
    const before = await found(personal());
    // Proves that the search works before expecting no results.
    expect(before.length).toBeGreaterThan(60);
    await tidy(as({ kind: 'job', name: 'tidy' }));
    await runJobs({ all: true });
    await tidy(as({ kind: 'job', name: 'tidy' }));
    await runJobs({ all: true });
    const left = (await found(personal())).filter(
      ({ table, column }) => !kept.some(({ tables }) => tables[table]?.includes(column)),
    );
    expect(left).toEqual([]);
  });

  test('leaves no personal data in stored files', () => {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true });
    const bytes = names.flatMap((entry) =>
      entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name)).toString('latin1')] : [],
    );
    expect(bytes.filter((one) => [...personal()].some((word) => one.includes(word)))).toEqual([]);
  });

  test('keeps other people’s data', async () => {
    const words = new Set(
      filled
        .filter(({ table, path }) => withheld[`${table}.${path}`]?.of === 'others')
        .filter(({ table }) => table !== 'reviews')
        .flatMap(
          ({ values }) =>
            JSON.stringify(values).match(
              /zq\d+x(?:appointmentsxcontactname|contactmessagesxsealedmessage)/g,
            ) ?? [],
        ),
    );
    expect(words.size).toBe(3);
    expect(new Set((await found(words)).map(({ word }) => word))).toEqual(words);
  });

  test('frees the address for a new sign-up', async () => {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'name', 'email'])
      .where('id', '=', person.id)
      .execute();
    expect(rows).toEqual([{ id: person.id, name: 'Deleted account', email: `${person.id}@deleted.invalid` }]);
  });

  async function found(
    words: ReadonlySet<string>,
  ): Promise<{ table: string; column: string; word: string }[]> {
    const { rows: tables } = await sql<{ schema: string; name: string }>`
      select schemaname as schema, tablename as name from pg_tables
        where schemaname in ('public', 'jobs') order by 1, 2`.execute(db);
    const hits: { table: string; column: string; word: string }[] = [];
    for (const { schema, name } of tables) {
      const { rows } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(t) as row from ${sql.table(`${schema}.${name}`)} t`.execute(db);
      for (const { row } of rows) {
        for (const [column, value] of Object.entries(row)) {
          const text = JSON.stringify(opened(name, column, row.id, value))?.toLowerCase() ?? '';
          for (const word of words) {
            if (text.includes(word))
              hits.push({ table: schema === 'public' ? name : `jobs.${name}`, column, word });
          }
        }
      }
    }
    return hits;
  }

  function opened(table: string, column: string, id: unknown, value: unknown): unknown {
    // Filled rows don't record who set a conversation's subject.
    if (typeof value !== 'string' || !sealed[table]?.includes(column) || table === 'conversations')
      return value;
    const ring = table === 'private_notes' ? system.privateNotes : system.keyring;
    return ring.open(value, `${table}.${column}:${String(id)}`);
  }
});

test('documents the same exceptions as the deletion dialog', () => {
  const page = readFileSync('docs/privacy.md', 'utf8').replaceAll(/ +/g, ' ');
  for (const { what, why } of kept) expect(page).toContain(`| ${what()} | ${why()} |`);
});
