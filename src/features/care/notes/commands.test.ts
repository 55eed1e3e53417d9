import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { openKeyring } from '#/platform/keyring.ts';
import { transact } from '#/platform/db/transact.ts';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { unlocked } from '../../../../tests/support/words.ts';
import { carePersonal } from '../personal.ts';
import { requireServed } from '../clients/policies.ts';
import { changeNote, removeNote, writeNote } from './commands.ts';
import { requireOwnNote } from './policies.ts';
import { noteOf, notesAbout, sealedNotes, type NoteKind } from './queries.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

const kinds: readonly NoteKind[] = ['session', 'private'];
const page = { limit: 25, offset: 0 };

/** A provider and a client with one session. */
async function pair(): Promise<{ doctor: Person; client: Person; appointmentId: string }> {
  const [doctor, client] = [await addProvider(db), await addClient(db)];
  return { doctor, client, appointmentId: await addSession(db, { client, provider: doctor }) };
}

const author = (person: Person) => unlocked(as(person));

const notes = async (kind: NoteKind, doctor: Person, client: Person) =>
  (await notesAbout(await author(doctor), kind, await requireServed(as(doctor), client.id), page)).notes;

describe.each(kinds)('a %s note', (kind) => {
  test('covers a client or session, shows edits and disappears on deletion', async () => {
    setNow('2026-03-02T12:00:00Z');
    const { doctor, client, appointmentId } = await pair();
    const about = await writeNote(await author(doctor), kind, {
      clientId: client.id,
      text: 'Sleeps badly.\nAsks for help.',
    });
    expect(about).toMatchObject({
      clientId: client.id,
      session: null,
      text: 'Sleeps badly.\nAsks for help.',
      writtenAt: '2026-03-02T12:00:00Z',
      changedAt: null,
    });
    setNow('2026-03-02T13:00:00Z');
    const ofSession = await writeNote(await author(doctor), kind, {
      clientId: client.id,
      appointmentId,
      text: 'Calmer.',
    });
    expect(ofSession.session).toMatchObject({ id: appointmentId });
    setNow('2026-03-02T14:00:00Z');
    await changeNote(await author(doctor), kind, { noteId: about.id, text: 'Sleeps better.' });
    expect(await notes(kind, doctor, client)).toMatchObject([
      { id: ofSession.id, changedAt: null },
      { id: about.id, text: 'Sleeps better.', changedAt: '2026-03-02T14:00:00Z' },
    ]);
    await removeNote(await author(doctor), kind, about.id);
    expect((await notes(kind, doctor, client)).map(({ id }) => id)).toEqual([ofSession.id]);
    expect(await refusalOf(removeNote(await author(doctor), kind, about.id))).toMatchObject({
      code: 'not_found',
    });
  });

  test('is stored once per id, with the latest words, and never over another note', async () => {
    setNow('2026-03-02T12:00:00Z');
    const [{ doctor, client, appointmentId }, other] = [await pair(), await pair()];
    await addSession(db, { client: other.client, provider: doctor });
    const note = { noteId: newId(), clientId: client.id, text: 'Calmer.' };
    const first = await writeNote(await author(doctor), kind, note);
    setNow('2026-03-02T12:01:00Z');
    expect(await writeNote(await author(doctor), kind, note)).toEqual(first);
    const latest = { ...note, appointmentId, text: 'Much calmer.' };
    await writeNote(await author(doctor), kind, latest);
    const stored = [
      {
        id: note.noteId,
        text: 'Much calmer.',
        session: { id: appointmentId },
        changedAt: '2026-03-02T12:01:00Z',
      },
    ];
    expect(await notes(kind, doctor, client)).toMatchObject(stored);
    for (const somebody of [doctor, other.doctor]) {
      const attempt = writeNote(await author(somebody), kind, { ...note, clientId: other.client.id });
      expect(await refusalOf(attempt)).toMatchObject({ code: 'not_found', reason: 'note' });
    }
    expect(await notes(kind, doctor, client)).toMatchObject(stored);
  });

  test('isn’t saved over another window’s change', async () => {
    const { doctor, client } = await pair();
    const text = 'Calmer.';
    const { id: noteId, version } = await writeNote(await author(doctor), kind, {
      clientId: client.id,
      text,
    });
    const change = { noteId, version, text: 'First window' };
    const first = await changeNote(await author(doctor), kind, change);
    expect(await changeNote(await author(doctor), kind, change)).toEqual(first);
    const second = { noteId, version, text: 'Second window' };
    expect(await refusalOf(changeNote(await author(doctor), kind, second))).toMatchObject({
      code: 'conflict',
      reason: 'changed_meanwhile',
    });
    expect(await notes(kind, doctor, client)).toEqual([first]);
    await changeNote(await author(doctor), kind, { ...second, version: first.version });
    expect(await notes(kind, doctor, client)).toMatchObject([{ text: 'Second window' }]);
  });

  test('returns not_found to everyone but its author', async () => {
    const { doctor, client, appointmentId } = await pair();
    const { id: noteId } = await writeNote(await author(doctor), kind, {
      clientId: client.id,
      text: 'Words',
    });
    const other = await addProvider(db);
    // Another provider of the same client has no access either.
    const theirSession = await addSession(db, { client, provider: other });
    for (const who of [other, client, { ...other, role: 'super_admin' as const }]) {
      for (const attempt of [
        () => transact(as(who), (tx) => requireOwnNote(tx, selfOf(tx), kind, noteId)),
        () => changeNote(as(who), kind, { noteId, text: 'Others' }),
        () => removeNote(as(who), kind, noteId),
      ])
        expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'note' });
    }
    expect(await notes(kind, other, client)).toEqual([]);
    expect(await notes(kind, doctor, client)).toMatchObject([{ text: 'Words' }]);
    const wish = { clientId: client.id, text: 'Words' };
    for (const [who, id] of [
      [other, appointmentId],
      [doctor, theirSession],
      [doctor, newId()],
    ] as const)
      expect(await refusalOf(writeNote(as(who), kind, { ...wish, appointmentId: id }))).toMatchObject({
        code: 'not_found',
        reason: 'appointment',
      });
    const stranger = await addClient(db);
    expect(
      await refusalOf(writeNote(await author(doctor), kind, { ...wish, clientId: stranger.id })),
    ).toMatchObject({
      code: 'not_found',
      reason: 'client',
    });
  });

  test('is encrypted, and logged without its text', async () => {
    const { doctor, client } = await pair();
    const { id } = await writeNote(await author(doctor), kind, {
      clientId: client.id,
      text: 'marjoramwords',
    });
    await changeNote(await author(doctor), kind, { noteId: id, text: 'marjoramwords again' });
    const { rows: tables } = await sql<{ name: string }>`
      select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'jobs')`.execute(
      db,
    );
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from ${sql.table(name)} as t where t::text ~ 'marjoram'`.execute(
        db,
      );
      expect(rows, name).toEqual([]);
    }
    const { rows: entries } = await sql<{ action: string; details: unknown }>`
      select action, details from audit_entries where subject_id = ${id} order by at, action`.execute(db);
    expect(entries).toEqual([
      { action: `care.${kind}_note_changed`, details: {} },
      { action: `care.${kind}_note_written`, details: {} },
    ]);
  });

  test.each(['client', 'doctor'] as const)('is deleted with the account of its %s', async (whose) => {
    const { doctor, client } = await pair();
    const { id } = await writeNote(await author(doctor), kind, { clientId: client.id, text: 'Words' });
    const kept = await pair();
    const other = await writeNote(await author(kept.doctor), kind, {
      clientId: kept.client.id,
      text: 'Kept',
    });
    await transact(as({ kind: 'system' }), (tx) =>
      carePersonal.erase(tx, whose === 'client' ? client.id : doctor.id),
    );
    const left = await db
      .selectFrom(sealedNotes[kind].table as 'session_notes')
      .select('id')
      .execute();
    expect(left.map((row) => row.id)).toContain(other.id);
    expect(left.map((row) => row.id)).not.toContain(id);
  });

  test('can’t be written about a deleted account', async () => {
    const { doctor, client } = await pair();
    await db
      .updateTable('profiles')
      .set({ erased_at: new Date('2026-03-01T00:00:00Z') })
      .where('id', '=', client.id)
      .execute();
    expect(
      await refusalOf(writeNote(await author(doctor), kind, { clientId: client.id, text: 'Words' })),
    ).toMatchObject({
      code: 'precondition',
      reason: 'client_erased',
    });
  });
});

describe('the keys', () => {
  test('differ for private notes, and neither opens the other’s data', async () => {
    const { doctor, client } = await pair();
    const written = await writeNote(await author(doctor), 'private', { clientId: client.id, text: 'Words' });
    const { text } = await db
      .selectFrom('private_notes')
      .select('text')
      .where('id', '=', written.id)
      .executeTakeFirstOrThrow();
    const { keyring, privateNotes } = as(doctor);
    expect(sealedNotes.private.open(privateNotes, written.id, text)).not.toContain('Words');
    expect(() => sealedNotes.private.open(keyring, written.id, text)).toThrow('unable to authenticate');
    // Ciphertext can't be decrypted in another row.
    expect(() => sealedNotes.private.open(privateNotes, newId(), text)).toThrow('unable to authenticate');
  });

  test('can be rotated: the old key opens old notes and nothing new', async () => {
    const { doctor, client } = await pair();
    const key = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;
    const [first, second] = [key('p1'), key('p2')];
    const open = await author(doctor);
    const withKeys = (keys: string) => ({ ...open, privateNotes: openKeyring(keys) });
    const [old, both, fresh] = [withKeys(first), withKeys(`${second},${first}`), withKeys(second)];
    const wish = { clientId: client.id, text: 'From before' };
    const before = await writeNote(old, 'private', wish);
    const read = (ctx: typeof old, id: string) => noteOf(ctx, 'private', selfOf(ctx), id);
    expect((await read(both, before.id)).text).toBe('From before');
    const after = await writeNote(both, 'private', { ...wish, text: 'From after' });
    await expect(read(old, after.id)).rejects.toThrow('no key p2 in the keyring');
    expect((await read(fresh, after.id)).text).toBe('From after');
  });
});
