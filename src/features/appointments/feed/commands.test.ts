import { selfOf } from '#/features/access/rules.ts';
import ICAL from 'ical.js';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { setPassword } from '#/features/accounts/commands.ts';
import { block } from '#/features/availability/blocks/commands.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  addClient,
  addProvider,
  freshSession,
  sixtyMinutes,
  type Person,
} from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { proving } from '../../../../tests/support/prove.ts';
import { book } from '../booking/commands.ts';
import { cancel, confirm, reschedule } from '../life-cycle/commands.ts';
import { answerFeed, makeFeed, revokeFeed } from './commands.ts';
import { feedFile, ownFeed } from './queries.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase();
const service = await sixtyMinutes(db);
const guest = as({ kind: 'guest' });
const site = { appUrl: 'https://italk.example', rateLimitFactor: 1 };

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('rate_limits').execute();
});

const feedOf = async (person: Person) => makeFeed(as(await freshSession(db, person)));

const tokenIn = (path: string) => /^\/calendar\/([\w-]{43})\.ics$/.exec(path)![1]!;

function fetched(token: string, ifNoneMatch: string | null = null, ctx = guest) {
  return answerFeed(ctx, { token, ifNoneMatch }, site);
}

function read(content: string) {
  const calendar = ICAL.Component.fromString(content);
  const zones = calendar.getAllSubcomponents('vtimezone').map((zone) => new ICAL.Timezone(zone));
  return new Map(
    calendar.getAllSubcomponents('vevent').map((event) => {
      const start = event.getFirstPropertyValue('dtstart') as ICAL.Time;
      const zone = event.getFirstProperty('dtstart')!.getFirstParameter('tzid');
      start.zone = zones.find(({ tzid }) => tzid === zone) ?? ICAL.Timezone.utcTimezone;
      const value = (name: string) => event.getFirstPropertyValue(name);
      return [
        value('uid') as string,
        {
          title: value('summary'),
          status: value('status'),
          sequence: value('sequence'),
          startsAt: new Date(start.toUnixTime() * 1000).toISOString(),
        },
      ];
    }),
  );
}

async function booked(terms: { approvesFirst?: boolean; startsAt?: string } = {}) {
  const [client, provider] = [
    await addClient(db),
    await addProvider(db, { approvesFirst: terms.approvesFirst ?? false }),
  ];
  const { appointments } = await book(
    as(client),
    bookInputFor(provider.id, service, terms.startsAt ?? '2026-03-09T14:00:00Z', {
      sessionType: 'in-person',
      contact: { name: 'Ruth Secret', email: 'ruth@people.example', phone: '+1 555 0101' },
    }),
  );
  return { client, provider, id: appointments[0]!.id };
}

describe('a calendar feed URL', () => {
  it('is random, is shown once, and is stored as a hash', async () => {
    const provider = await addProvider(db);
    const { path, ...made } = await feedOf(provider);
    expect(made).toEqual({ madeAt: '2026-03-02T12:00:00Z', readAt: null });
    expect(await ownFeed(as(provider), provider.id as never)).toEqual(made);
    const rows = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from calendar_feeds t
      union all select to_jsonb(t)::text from audit_entries t
      union all select to_jsonb(t)::text from rate_limits t`.execute(db);
    expect(JSON.stringify(rows.rows)).not.toContain(tokenIn(path));
  });

  it('replaces the previous one, can be revoked, and is logged', async () => {
    const provider = await addProvider(db);
    const first = tokenIn((await feedOf(provider)).path);
    const second = tokenIn((await feedOf(provider)).path);
    expect(second).not.toBe(first);
    const gone = await refusalOf(fetched(first));
    expect(gone).toMatchObject({ code: 'not_found', reason: 'calendar_feed' });
    expect((await fetched(second)).status).toBe(200);
    await revokeFeed(as(provider));
    await revokeFeed(as(provider));
    for (const token of [second, 'x', '', 'A'.repeat(43), `${second}'--`, 'א'.repeat(40)]) {
      expect(await refusalOf(fetched(token))).toEqual(gone);
    }
    const entries = await db
      .selectFrom('audit_entries')
      .select('action')
      .where('subject_id', '=', provider.id)
      .where('action', 'like', 'calendar_feed.%')
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      'calendar_feed.made',
      'calendar_feed.made',
      'calendar_feed.revoked',
    ]);
  });

  it('is created only after a recent confirmation, and revoked without one', async () => {
    const provider = await addProvider(db);
    expect(await refusalOf(makeFeed(as(provider)))).toMatchObject({ reason: 'reauthentication_required' });
    expect(await ownFeed(as(provider), provider.id as never)).toBeNull();
    const { path } = await feedOf(provider);
    expect(await refusalOf(makeFeed(as(provider)))).toMatchObject({ reason: 'reauthentication_required' });
    expect((await fetched(tokenIn(path))).status).toBe(200);
    await revokeFeed(as(provider));
    expect(await refusalOf(fetched(tokenIn(path)))).toMatchObject({ reason: 'calendar_feed' });
  });

  it.each([
    ['by email', undefined],
    ['while signed in', newId()],
  ])('ends when its owner sets a password %s, unless created afterwards', async (_, exceptSession) => {
    const client = await addClient(db);
    const token = tokenIn((await feedOf(client)).path);
    const choose = () =>
      transact(guest, (tx) => setPassword(tx, client.id, 'hash', exceptSession ? { exceptSession } : {}));
    await choose();
    await runJobs();
    expect(await refusalOf(fetched(token))).toMatchObject({ reason: 'calendar_feed' });
    await choose();
    setNow('2026-03-02T12:00:01Z');
    const later = tokenIn((await feedOf(client)).path);
    await runJobs();
    expect((await fetched(later)).status).toBe(200);
  });

  it('gives no access to another signed-in person', async () => {
    const [provider, other] = [await addProvider(db), await addProvider(db)];
    const token = tokenIn((await feedOf(provider)).path);
    expect(await refusalOf(fetched(token, null, as(other)))).toMatchObject({ code: 'not_found' });
    expect((await fetched(token, null, as(provider))).status).toBe(200);
  });

  it('opens nothing while its owner is suspended', async () => {
    const provider = await addProvider(db);
    const token = tokenIn((await feedOf(provider)).path);
    const suspend = (at: Date | null) =>
      db.updateTable('profiles').set({ suspended_at: at }).where('id', '=', provider.id).execute();
    await suspend(new Date());
    expect(await refusalOf(fetched(token))).toMatchObject({ code: 'not_found', reason: 'calendar_feed' });
    await suspend(null);
    expect((await fetched(token)).status).toBe(200);
  });

  it('shows when it was last read, to the minute', async () => {
    const provider = await addProvider(db);
    const token = tokenIn((await feedOf(provider)).path);
    const readAt = async () => (await ownFeed(as(provider), provider.id as never))!.readAt;
    await fetched(token);
    expect(await readAt()).toBe('2026-03-02T12:00:00Z');
    setNow('2026-03-02T12:00:59Z');
    await fetched(token);
    expect(await readAt()).toBe('2026-03-02T12:00:00Z');
    setNow('2026-03-02T12:01:00Z');
    await fetched(token);
    expect(await readAt()).toBe('2026-03-02T12:01:00Z');
  });

  it('allows sixty reads per ten minutes, and six hundred per network', async () => {
    const provider = await addProvider(db);
    const token = tokenIn((await feedOf(provider)).path);
    for (let count = 0; count < 60; count++) await fetched(token);
    expect(await refusalOf(fetched(token))).toMatchObject({ code: 'rate_limited' });
    await db.updateTable('rate_limits').set({ hits: 600 }).execute();
    expect(await refusalOf(fetched('x'))).toMatchObject({ code: 'rate_limited' });
    setNow('2026-03-02T12:10:00Z');
    expect((await fetched(token)).status).toBe(200);
  });
});

describe('the feed’s content', () => {
  it('shows a session without client, service and location, under the invitation’s UID', async () => {
    const { client, provider, id } = await booked();
    const answer = await fetched(tokenIn((await feedOf(provider)).path));
    const content = await answer.text();
    expect(read(content)).toEqual(
      new Map([
        [
          id,
          { title: 'iTalk session', status: 'CONFIRMED', sequence: 0, startsAt: '2026-03-09T14:00:00.000Z' },
        ],
      ]),
    );
    expect(content).not.toMatch(/Ruth|Secret|people\.example|555|An hour of care|Boston|ATTENDEE|VALARM/);
    for (const property of [
      'X-WR-CALNAME:iTalk',
      'REFRESH-INTERVAL;VALUE=DURATION:PT60M',
      'X-PUBLISHED-TTL:PT60M',
      'METHOD:PUBLISH',
      'BEGIN:VTIMEZONE',
      'DTSTART;TZID=America/New_York:20260309T100000',
    ]) {
      expect(content).toContain(`\r\n${property}`);
    }
    // Both invitations carry the same UID.
    await runJobs();
    const mails = await readMails();
    expect(JSON.stringify(mails)).toContain(`UID:${id}`);
    const own = await fetched(tokenIn((await feedOf(client)).path));
    expect([...read(await own.text()).keys()]).toEqual([id]);
  });

  it('is tentative until confirmed, increases the sequence when moved, and drops on cancellation', async () => {
    const { provider, id } = await booked({ approvesFirst: true });
    const token = tokenIn((await feedOf(provider)).path);
    const now = async () => read(await (await fetched(token)).text()).get(id);
    expect(await now()).toMatchObject({ status: 'TENTATIVE', sequence: 0 });
    await confirm(as(provider), id);
    const confirmed = await now();
    expect(confirmed!.status).toBe('CONFIRMED');
    await reschedule(as(provider), id, '2026-03-10T15:00:00Z');
    const moved = await now();
    expect(moved!.startsAt).toBe('2026-03-10T15:00:00.000Z');
    expect(moved!.sequence).toBeGreaterThan(Number(confirmed!.sequence));
    await cancel(as(provider), id, 'I am ill');
    expect(await now()).toBeUndefined();
  });

  it('covers the last ninety days, without blocks and other people’s sessions', async () => {
    const [client, provider, other] = [await addClient(db), await addProvider(db), await addProvider(db)];
    const day = (days: number) =>
      Temporal.Instant.from('2026-03-02T12:00:00Z')
        .add({ hours: 24 * days })
        .toString();
    const recent = await addSession(db, { client, provider, start: day(-90) });
    const missed = await addSession(db, { client, provider, start: day(-3), status: 'no_show' });
    await addSession(db, { client, provider, start: day(-91) });
    await addSession(db, { client, provider: other, start: day(-4) });
    await block(as(provider), selfOf(as(provider)), {
      startsAt: day(7),
      endsAt: day(8),
      note: 'The dentist',
    });
    const content = await feedFile(guest, provider.id, site.appUrl);
    expect([...read(content).keys()]).toEqual([recent, missed]);
    expect(content).not.toContain('dentist');
  });

  it('is a valid calendar even when empty', async () => {
    for (const timeZone of ['America/New_York', 'UTC', 'Asia/Kathmandu']) {
      const provider = await addProvider(db, { timeZone });
      const content = await feedFile(guest, provider.id, site.appUrl);
      const calendar = ICAL.Component.fromString(content);
      expect(calendar.getAllSubcomponents('vevent')).toEqual([]);
      expect(calendar.getAllSubcomponents('vtimezone')).toHaveLength(1);
    }
  });
});

describe('the feed’s response', () => {
  it('has the same ETag until something changes', async () => {
    const { provider, id } = await booked();
    const token = tokenIn((await feedOf(provider)).path);
    const first = await fetched(token);
    const tag = first.headers.get('etag')!;
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    setNow('2026-03-05T12:00:00Z');
    const again = await fetched(token, `"x", W/${tag}`);
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    await reschedule(as(provider), id, '2026-03-11T15:00:00Z');
    const changed = await fetched(token, tag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  it('is private to its reader and not indexed', async () => {
    const provider = await addProvider(db);
    const { headers } = await fetched(tokenIn((await feedOf(provider)).path));
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
  });
});

test('parses a feed of many sessions, and folds its lines at 75 octets', async () => {
  const many = proving ? 300 : 40;
  const [client, provider] = [await addClient(db), await addProvider(db)];
  for (let count = 0; count < many; count++) {
    const start = Temporal.Instant.from('2026-01-05T12:00:00Z').add({ hours: 6 * count });
    await addSession(db, { client, provider, start: start.toString() });
  }
  const content = await feedFile(guest, provider.id, site.appUrl);
  expect(read(content).size).toBe(many);
  for (const line of content.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});
