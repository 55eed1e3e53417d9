import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import pg from 'pg';
import type { Role } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { allReceived } from '../../../../tests/support/outbox.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { growthPersonal } from '../personal.ts';
import { transact } from '#/platform/db/transact.ts';
import {
  askPrayer,
  markPrayed,
  receivedPrayers,
  removePrayer,
  setPrayerState,
  undoPrayed,
} from './commands.ts';
import type { AskInput } from './contract.ts';
import { requireOwnPrayer } from './policies.ts';
import { counsellorsFor, prayerOf, prayersOf } from './queries.ts';

const { db, as, url, setNow, runJobs, readMails } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

async function addPastor(): Promise<Person> {
  const pastor = { ...(await addProvider(db)), role: 'pastor' as const };
  await db.updateTable('profiles').set({ role: 'pastor' }).where('id', '=', pastor.id).execute();
  return pastor;
}

async function named(fullName: string): Promise<Person> {
  const client = await addClient(db);
  await db.updateTable('profiles').set({ full_name: fullName }).where('id', '=', client.id).execute();
  return client;
}

const toPastors: AskInput = { text: 'motherwords', audience: 'pastors', showName: true };
const to = (provider: Person): AskInput => ({
  text: 'sleepwords',
  audience: 'counsellor',
  providerId: provider.id,
  showName: true,
});

async function received(provider: Person, state: 'open' | 'answered' = 'open') {
  return (await receivedPrayers(as(provider), { state, limit: 50 })).prayers;
}

const own = (client: Person, id: string) => prayerOf(as(client), selfOf(as(client)), id);

const offered = async (client: Person, search = '') => {
  const ctx = as(client);
  return (await counsellorsFor(ctx, selfOf(ctx), { search, limit: 50 })).map(({ id }) => id);
};

const mails = () => readMails();

let notices: { topics: string[]; message: { type: string; id: string } }[] = [];
const listener = new pg.Client({ connectionString: url });
beforeAll(async () => {
  await listener.connect();
  listener.on('notification', ({ payload }) =>
    notices.push(JSON.parse(payload ?? '') as (typeof notices)[number]),
  );
  await listener.query('listen realtime');
});
afterAll(() => listener.end());
beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await runJobs();
  await db.deleteFrom('mails').execute();
  await db.deleteFrom('prayer_requests').execute();
  await allReceived(listener);
  notices = [];
});

describe('a prayer request to one counselor', () => {
  test('is readable only by them, with the name the client chose to show', async () => {
    const [client, doctor, pastor, other] = [
      await named('Hannah Brooks'),
      await addProvider(db),
      await addPastor(),
      await addProvider(db),
    ];
    const { id } = await askPrayer(as(client), to(doctor));
    await askPrayer(as(client), { ...to(doctor), showName: false });
    expect((await received(doctor)).map(({ name, text }) => [name, text])).toEqual([
      [null, 'sleepwords'],
      ['Hannah Brooks', 'sleepwords'],
    ]);
    expect(await received(pastor)).toEqual([]);
    expect(await received(other)).toEqual([]);
    for (const somebody of [pastor, other]) {
      expect(await refusalOf(markPrayed(as(somebody), id, 'x'))).toMatchObject({ code: 'not_found' });
      expect(await refusalOf(undoPrayed(as(somebody), id))).toMatchObject({ code: 'not_found' });
    }
    const chief = { ...(await addClient(db)), role: 'super_admin' as const };
    expect(await refusalOf(markPrayed(as(chief), id, 'x'))).toMatchObject({ code: 'forbidden' });
  });

  test('is sent once per id, and never as another client’s', async () => {
    const [client, other, doctor] = [await addClient(db), await addClient(db), await addProvider(db)];
    const request = { requestId: newId(), ...to(doctor) };
    const first = await askPrayer(as(client), request);
    expect(await askPrayer(as(client), request)).toEqual(first);
    expect(await refusalOf(askPrayer(as(other), request))).toMatchObject({
      code: 'not_found',
      reason: 'prayer',
    });
    await runJobs();
    expect(await received(doctor)).toHaveLength(1);
    expect(await mails()).toHaveLength(1);
  });

  test('is emailed to them without its text or the client’s name', async () => {
    const [client, doctor] = [await named('Hannah Brooks'), await addProvider(db)];
    await askPrayer(as(client), to(doctor));
    await askPrayer(as(client), toPastors);
    await runJobs();
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: `${doctor.id}@people.example` });
    expect(JSON.stringify(mail)).not.toMatch(/sleepwords|Hannah/);
  });

  test('can go only to listed counselors or ones the client knows', async () => {
    const [client, listed, unlisted] = [
      await addClient(db),
      await addProvider(db),
      await addProvider(db, { listed: false }),
    ];
    expect(await offered(client)).toContain(listed.id);
    expect(await offered(client)).not.toContain(unlisted.id);
    expect(await refusalOf(askPrayer(as(client), to(unlisted)))).toMatchObject({
      code: 'not_found',
      reason: 'specialist',
    });
    expect(await refusalOf(askPrayer(as(client), to(client)))).toMatchObject({ reason: 'specialist' });
    const { providerId: _none, ...without } = to(listed);
    expect(await refusalOf(askPrayer(as(client), without))).toMatchObject({
      fields: [{ field: 'providerId', reason: 'required' }],
    });
  });
});

describe('available counselors', () => {
  const change = (provider: Person, values: Record<string, unknown>) =>
    db.updateTable('profiles').set(values).where('id', '=', provider.id).execute();

  test('exclude deleted accounts and those about to be, even if listed or known', async () => {
    const [client, erased, leaving] = [await addClient(db), await addProvider(db), await addProvider(db)];
    const { id } = await askPrayer(as(client), to(leaving));
    await setPrayerState(as(client), id, 'answered');
    await change(erased, { erased_at: new Date('2026-03-01T00:00:00Z') });
    await change(leaving, { delete_after: new Date('2026-03-20T00:00:00Z') });
    const found = await offered(client);
    for (const gone of [erased, leaving]) {
      expect(found).not.toContain(gone.id);
      expect(await refusalOf(askPrayer(as(client), to(gone)))).toMatchObject({
        code: 'not_found',
        reason: 'specialist',
      });
    }
    expect(await refusalOf(setPrayerState(as(client), id, 'open'))).toMatchObject({
      reason: 'counsellor_gone',
    });
    await change(leaving, { delete_after: null });
    expect(await offered(client)).toContain(leaving.id);
    expect(await setPrayerState(as(client), id, 'open')).toMatchObject({ state: 'open' });
  });

  test('exclude people who can’t read requests: suspended, no longer providers, or without wellness', async () => {
    const client = await addClient(db);
    const known = async () => {
      const provider = await addProvider(db);
      await addSession(db, { client, provider });
      return provider;
    };
    const [suspended, former, unknown] = [await known(), await known(), await known()];
    await change(suspended, { suspended_at: new Date('2026-03-01T00:00:00Z') });
    await change(former, { role: 'client' });
    expect(await offered(client)).toEqual(expect.arrayContaining([unknown.id]));
    for (const gone of [suspended, former]) {
      expect(await offered(client)).not.toContain(gone.id);
      expect(await refusalOf(askPrayer(as(client), to(gone)))).toMatchObject({ reason: 'specialist' });
    }
    const scope = (roles: Role[]) =>
      db
        .updateTable('feature_flags')
        .set(roles.length ? { scope: 'role_based', roles } : { scope: 'global', roles })
        .where('id', '=', 'wellness_tracking')
        .execute();
    await scope(['client', 'pastor']);
    expect(await offered(client)).toEqual([]);
    await scope([]);
  });

  test('are found by part of a name or title, ignoring diacritics', async () => {
    const client = await addClient(db);
    const many: Person[] = [];
    for (let number = 0; number < 51; number++) many.push(await addProvider(db));
    const last = await addProvider(db);
    await change(last, { full_name: 'Zoë 100% Ångström' });
    await db
      .updateTable('providers')
      .set({ position: 9_999, title: 'M.D.' })
      .where('id', '=', last.id)
      .execute();
    const first = await offered(client);
    expect(first).toHaveLength(50);
    expect(first).not.toContain(last.id);
    for (const words of ['angstrom', 'ÅNGSTRÖM, m.d', 'zoe 100%']) {
      expect(await offered(client, words), words).toEqual([last.id]);
    }
    expect(await offered(client, '1_0%')).toEqual([]);
    expect(await askPrayer(as(client), to(last))).toMatchObject({ counsellor: { id: last.id } });
  });
});

describe('rate limits', () => {
  test('allow ten requests a day per client', async () => {
    const [client, other] = [await addClient(db), await addClient(db)];
    for (let number = 0; number < 10; number++) await askPrayer(as(client), toPastors);
    expect(await refusalOf(askPrayer(as(client), toPastors))).toMatchObject({
      code: 'rate_limited',
      reason: 'too_many_prayers',
    });
    expect((await prayersOf(as(client), selfOf(as(client)), { limit: 50 })).prayers).toHaveLength(10);
    await askPrayer(as(other), toPastors);
    setNow('2026-03-03T12:00:01Z');
    await askPrayer(as(client), toPastors);
  });

  test('allow one email a day per counselor and client', async () => {
    const [client, other, doctor, second] = [
      await addClient(db),
      await addClient(db),
      await addProvider(db),
      await addProvider(db),
    ];
    const { id } = await askPrayer(as(client), to(doctor));
    await runJobs();
    // Withdrawing and asking again counts as the same day.
    await removePrayer(as(client), id);
    await askPrayer(as(client), to(doctor));
    await askPrayer(as(client), to(doctor));
    await runJobs();
    expect(await mails()).toHaveLength(1);
    await askPrayer(as(client), to(second));
    await askPrayer(as(other), to(doctor));
    await runJobs();
    const written = await mails();
    expect(written).toHaveLength(3);
    // Sent email records don't identify the client.
    for (const { key } of written) expect(key).not.toMatch(new RegExp(`${client.id}|${other.id}`));
    setNow('2026-03-03T12:00:00Z');
    await askPrayer(as(client), to(doctor));
    await runJobs();
    expect(await mails()).toHaveLength(4);
  });
});

describe('a prayer request shared with the pastors', () => {
  test('is readable by every pastor, with a first name at most, and by no doctor', async () => {
    const [client, one, two, doctor] = [
      await named('Hannah Brooks'),
      await addPastor(),
      await addPastor(),
      await addProvider(db),
    ];
    await askPrayer(as(client), toPastors);
    for (const pastor of [one, two]) {
      expect(await received(pastor)).toMatchObject([{ name: 'Hannah', text: 'motherwords', others: 0 }]);
    }
    expect(await received(doctor)).toEqual([]);
  });

  test('notifies pastors, and the client of each prayer, by ids alone', async () => {
    const [client, pastor] = [await addClient(db), await addPastor()];
    const { id } = await askPrayer(as(client), toPastors);
    // Equal notices of the same batch arrive once.
    await allReceived(listener);
    await markPrayed(as(pastor), id, 'notewords');
    await expect.poll(() => notices.length).toBe(2);
    for (const { topics, message } of notices) {
      expect(topics).toEqual([`person:${client.id}`, 'role:pastor']);
      expect(message).toEqual({ type: 'growth.changed', id });
    }
  });
});

describe('praying', () => {
  test('shows the client who prayed with their note, and others only a count', async () => {
    const [client, one, two] = [await addClient(db), await addPastor(), await addPastor()];
    const { id } = await askPrayer(as(client), toPastors);
    await markPrayed(as(one), id, 'notewords');
    await markPrayed(as(two), id, undefined);
    const { prayed } = await own(client, id);
    expect(prayed.map(({ id: person, note }) => [person, note])).toEqual([
      [one.id, 'notewords'],
      [two.id, null],
    ]);
    const [seen] = await received(two);
    expect(seen).toMatchObject({ prayed: { note: null }, others: 1 });
    expect(JSON.stringify(seen)).not.toContain('notewords');
  });

  test('counts once, and its note can be changed or withdrawn', async () => {
    const [client, pastor] = [await addClient(db), await addPastor()];
    const { id } = await askPrayer(as(client), toPastors);
    await Promise.all([1, 2, 3].map(() => markPrayed(as(pastor), id, undefined)));
    setNow('2026-03-03T12:00:00Z');
    await markPrayed(as(pastor), id, 'Second words');
    expect((await own(client, id)).prayed).toMatchObject([
      { note: 'Second words', prayedAt: '2026-03-02T12:00:00Z' },
    ]);
    expect((await undoPrayed(as(pastor), id)).prayed).toBeNull();
    expect((await own(client, id)).prayed).toEqual([]);
    await undoPrayed(as(pastor), id);
  });

  test('is emailed to the client once a day without text, unless withdrawn', async () => {
    const [client, one, two, three] = [
      await addClient(db),
      await addPastor(),
      await addPastor(),
      await addPastor(),
    ];
    const { id } = await askPrayer(as(client), toPastors);
    await markPrayed(as(one), id, 'notewords');
    await undoPrayed(as(one), id);
    await runJobs();
    expect(await mails()).toEqual([]);
    await markPrayed(as(one), id, 'notewords');
    await markPrayed(as(two), id, 'notewords');
    await runJobs();
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: `${client.id}@people.example` });
    expect(mail!.text_body).toContain('Someone prayed for you');
    expect(JSON.stringify(mail)).not.toMatch(/notewords|motherwords/);
    setNow('2026-03-03T12:00:00Z');
    await markPrayed(as(three), id, undefined);
    await runJobs();
    expect(await mails()).toHaveLength(2);
  });
});

describe('a client', () => {
  test('withdraws, reopens and marks a request as answered', async () => {
    const [client, pastor] = [await addClient(db), await addPastor()];
    const { id } = await askPrayer(as(client), toPastors);
    await setPrayerState(as(client), id, 'closed');
    expect(await received(pastor)).toEqual([]);
    expect(await refusalOf(markPrayed(as(pastor), id, undefined))).toMatchObject({ code: 'not_found' });
    await setPrayerState(as(client), id, 'open');
    expect(await received(pastor)).toHaveLength(1);
    await setPrayerState(as(client), id, 'answered');
    expect(await received(pastor)).toEqual([]);
    expect(await received(pastor, 'answered')).toHaveLength(1);
    expect(await refusalOf(markPrayed(as(pastor), id, undefined))).toMatchObject({
      reason: 'prayer_settled',
    });
    await removePrayer(as(client), id);
    expect(await received(pastor, 'answered')).toEqual([]);
  });

  test('never finds other people’s requests', async () => {
    const [client, stranger] = [await addClient(db), await addClient(db)];
    const { id } = await askPrayer(as(client), toPastors);
    for (const attempt of [
      () => transact(as(stranger), (tx) => requireOwnPrayer(tx, selfOf(tx), id)),
      () => setPrayerState(as(stranger), id, 'closed'),
      () => removePrayer(as(stranger), id),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'prayer' });
    }
    const { prayers } = await prayersOf(as(stranger), selfOf(as(stranger)), { limit: 50 });
    expect(prayers).toEqual([]);
    expect(await refusalOf(askPrayer(as(await addPastor()), toPastors))).toMatchObject({ code: 'forbidden' });
  });

  test('pages through their own requests, and a pastor through both kinds, newest first', async () => {
    const [client, pastor] = [await addClient(db), await addPastor()];
    for (let minute = 0; minute < 7; minute++) {
      setNow(`2026-03-02T12:0${minute}:00Z`);
      await askPrayer(as(client), { ...(minute % 2 ? to(pastor) : toPastors), text: String(minute) });
    }
    const pages = {
      own: (after: object) => prayersOf(as(client), selfOf(as(client)), { limit: 3, ...after }),
      received: (after: object) => receivedPrayers(as(pastor), { state: 'open', limit: 3, ...after }),
    };
    for (const page of Object.values(pages)) {
      const seen: string[] = [];
      let after = {};
      for (let more = true; more;) {
        const found = await page(after);
        seen.push(...found.prayers.map(({ text }) => text));
        const end = found.prayers.at(-1)!;
        after = { beforeAt: end.askedAt, beforeId: end.id };
        more = found.more;
      }
      expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0']);
    }
  });
});

test('encrypts stored requests and notes', async () => {
  const [client, pastor] = [await addClient(db), await addPastor()];
  const { id } = await askPrayer(as(client), toPastors);
  await markPrayed(as(pastor), id, 'notewords');
  for (const table of ['prayer_requests', 'prayer_answers', 'audit_entries', 'jobs.job']) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} as t where t::text ~ 'motherwords|notewords|sleepwords'`.execute(db);
    expect(rows, table).toEqual([]);
  }
});

test('returns requests withdrawn to the client when a counselor’s account is deleted', async () => {
  const [client, doctor] = [await addClient(db), await addProvider(db)];
  const { id } = await askPrayer(as(client), to(doctor));
  await markPrayed(as(doctor), id, 'notewords');
  const { tables } = await growthPersonal.collect(as(doctor), doctor.id);
  expect(tables.prayer_answers).toMatchObject([{ note: 'notewords' }]);
  await transact(as({ kind: 'system' }), (tx) => growthPersonal.erase(tx, doctor.id));
  expect(await own(client, id)).toMatchObject({ state: 'closed', counsellor: null, prayed: [] });
  expect(await refusalOf(setPrayerState(as(client), id, 'open'))).toMatchObject({
    reason: 'counsellor_gone',
  });
  await transact(as({ kind: 'system' }), (tx) => growthPersonal.erase(tx, client.id));
  expect(await db.selectFrom('prayer_requests').select('id').execute()).toEqual([]);
});
