import { sql } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { updatePreferences } from '#/features/accounts/profile/commands.ts';
import { changeSettings } from '#/features/settings/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { smtpTransport } from '#/platform/mail/smtp.ts';
import { proving } from '../../../../tests/support/prove.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients, type Person } from '../../../../tests/support/people.ts';
import { openSmtpSink } from '../../../../tests/support/smtp-sink.ts';
import { deleteOldDailyMails, mailMornings } from './commands.ts';
import { blockedConnections } from '../../../../tests/support/locks.ts';

const { db, as, setNow, readMails } = await testDatabase({ poolSize: 12 });
const job = as({ kind: 'job', name: 'mornings' });
const parts = { appUrl: 'https://italk.example', secret: 'a secret of this test alone' };
const tick = (ctx: Ctx = job) => mailMornings(ctx, parts);

/** People with these email preferences, verified by default. */
async function subscribers(
  count: number,
  wish: { zone?: string | null; devotionals?: boolean; updates?: boolean; verified?: boolean },
): Promise<Person[]> {
  const people = await addClients(db, count);
  const ids = people.map(({ id }) => id);
  await db
    .updateTable('users')
    .set({ email_verified: wish.verified ?? true })
    .where('id', 'in', ids)
    .execute();
  await db
    .updateTable('profiles')
    .set({
      time_zone: wish.zone === undefined ? 'America/New_York' : wish.zone,
      daily_devotionals: wish.devotionals ?? true,
      community_updates: wish.updates ?? false,
    })
    .where('id', 'in', ids)
    .execute();
  return people;
}

async function one(wish: Parameters<typeof subscribers>[1] = {}): Promise<Person> {
  return (await subscribers(1, wish))[0]!;
}

const mails = () => readMails((rows) => rows.clearOrderBy().orderBy('key'));
const keys = async () => (await mails()).map(({ key }) => key);
const morningOf = ({ id }: Person) =>
  db.selectFrom('mornings').selectAll().where('person_id', '=', id).executeTakeFirst();

async function at(iso: string): Promise<void> {
  setNow(iso);
  await tick();
}

beforeEach(async () => {
  await db.deleteFrom('mails').execute();
  await db.deleteFrom('users').execute();
  setNow('2026-03-02T12:30:00Z');
});

describe('daily devotionals', () => {
  it('arrive once at 7 AM local time, with that date’s passage', async () => {
    const [east, west] = [await one({ zone: 'Pacific/Auckland' }), await one({ zone: 'Pacific/Honolulu' })];
    await at('2026-03-02T12:30:00Z');
    expect(await keys()).toEqual([]);
    await at('2026-03-02T16:59:59Z');
    expect(await keys()).toEqual([]);
    await at('2026-03-02T17:00:00Z');
    await at('2026-03-02T17:00:00Z');
    await at('2026-03-02T18:01:00Z');
    expect(await keys()).toEqual([`devotional:2026-03-02:${west.id}`, `devotional:2026-03-03:${east.id}`]);
    const [second, third] = await mails();
    expect(second!.text_body).toContain('Psalm 34:18 (World English Bible)');
    expect(second!.text_body).toContain('Yahweh is near to those who have a broken heart');
    expect(second!.text_body).toContain(`${parts.appUrl}/devotional/03-02`);
    expect(third!.subject).toBe('Today: He carried it');
    await at('2026-03-03T17:00:00Z');
    expect(await keys()).toContain(`devotional:2026-03-03:${west.id}`);
  });

  it('arrive at 7 AM across DST changes', { tags: ['long'] }, async () => {
    const person = await one();
    const sent: string[] = [];
    for (
      let now = Temporal.Instant.from('2026-03-06T00:00:00Z');
      sent.length < 4;
      now = now.add({ minutes: 30 })
    ) {
      const before = (await keys()).length;
      await at(now.toString());
      if ((await keys()).length > before) sent.push(now.toString());
    }
    expect(sent).toEqual([
      '2026-03-06T12:00:00Z',
      '2026-03-07T12:00:00Z',
      '2026-03-08T11:00:00Z',
      '2026-03-09T11:00:00Z',
    ]);
    expect((await morningOf(person))!.devotional_at?.toISOString()).toBe('2026-03-10T11:00:00.000Z');
  });

  it('arrive late after an outage, but never after noon or for a past day', async () => {
    const [first, second] = [await one({ zone: 'America/New_York' }), await one({ zone: 'Europe/London' })];
    await at('2026-03-02T22:00:00Z');
    // Jobs were down for two and a half days.
    await at('2026-03-05T15:10:00Z');
    expect(await keys()).toEqual([`devotional:2026-03-05:${first.id}`]);
    await at('2026-03-06T06:59:00Z');
    expect(await keys()).toHaveLength(1);
    await at('2026-03-06T07:00:00Z');
    expect(await keys()).toContain(`devotional:2026-03-06:${second.id}`);
  });

  it('skip people who didn’t subscribe, unverified, suspended or expiring accounts, and sites without email', async () => {
    await one({ devotionals: false });
    await one({ verified: false });
    const leaving = await one();
    await db
      .updateTable('profiles')
      .set({ delete_after: new Date('2026-03-10T00:00:00Z') })
      .where('id', '=', leaving.id)
      .execute();
    const suspended = await one();
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date('2026-03-01T00:00:00Z') })
      .where('id', '=', suspended.id)
      .execute();
    await at('2026-03-02T12:30:00Z');
    await at('2026-03-03T12:00:00Z');
    expect(await keys()).toEqual([]);
    const system = as({ kind: 'system' });
    await one();
    await at('2026-03-03T12:00:00Z');
    await changeSettings(system, { emailNotifications: false });
    await at('2026-03-04T12:00:00Z');
    await changeSettings(system, { emailNotifications: true });
    expect(await keys()).toEqual([]);
    await at('2026-03-05T12:00:00Z');
    expect(await keys()).toHaveLength(1);
  });

  it('follow changes to subscription, zone and the site’s zone', async () => {
    const person = await one();
    const own = as(person);
    const nextOf = async () => (await morningOf(person))?.devotional_at?.toISOString() ?? null;
    await tick();
    expect(await nextOf()).toBe('2026-03-03T12:00:00.000Z');
    await updatePreferences(own, { timeZone: 'Asia/Tokyo' });
    await tick();
    expect(await nextOf()).toBe('2026-03-02T22:00:00.000Z');
    await updatePreferences(own, { dailyDevotionals: false });
    await tick();
    expect(await morningOf(person)).toBeUndefined();
    await updatePreferences(own, { dailyDevotionals: true });
    await tick();
    expect(await nextOf()).toBe('2026-03-02T22:00:00.000Z');
    const zoneless = await one({ zone: null });
    await tick();
    const nextZoneless = async () => (await morningOf(zoneless))!.devotional_at?.toISOString();
    expect(await nextZoneless()).toBe('2026-03-03T12:00:00.000Z');
    await changeSettings(as({ kind: 'system' }), { timezone: 'America/Denver' });
    await tick();
    expect(await nextZoneless()).toBe('2026-03-02T14:00:00.000Z');
    await changeSettings(as({ kind: 'system' }), { timezone: 'America/New_York' });
    // Moving west after a morning email doesn't send it twice.
    await at('2026-03-02T22:00:00Z');
    await updatePreferences(own, { timeZone: 'America/Los_Angeles' });
    await at('2026-03-03T15:00:00Z');
    expect((await keys()).filter((key) => key.endsWith(person.id))).toEqual([
      `devotional:2026-03-03:${person.id}`,
    ]);
  });

  it('survive another preference change at 7 AM', async () => {
    const person = await one();
    await tick();
    setNow('2026-03-03T12:00:20Z');
    await updatePreferences(as(person), { communityUpdates: true });
    await tick();
    expect(await keys()).toEqual([`devotional:2026-03-03:${person.id}`]);
  });

  it('don’t overwrite a concurrent preference change', async () => {
    const person = await one();
    await tick();
    setNow('2026-03-03T12:00:00Z');
    // The job blocks on this table lock while the preference changes.
    let ticking: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (held) => {
      await sql`lock table users in access exclusive mode`.execute(held);
      ticking = tick();
      await expect.poll(() => blockedConnections(db)).toBe(1);
      await held
        .updateTable('profiles')
        .set({ community_updates: true })
        .where('id', '=', person.id)
        .execute();
    });
    await ticking;
    expect(await keys()).toEqual([`devotional:2026-03-03:${person.id}`]);
    expect(await morningOf(person)).toMatchObject({ stale: true, community_at: null });
    await tick();
    expect(await morningOf(person)).toMatchObject({
      stale: false,
      community_at: new Date('2026-03-09T11:00:00Z'),
      devotional_at: new Date('2026-03-04T12:00:00Z'),
    });
  });

  it('are written once by concurrent processes', { tags: ['long'] }, async () => {
    await subscribers(1_200, {});
    await Promise.all([tick(), tick(), tick()]);
    setNow('2026-03-03T12:00:00Z');
    const written = await Promise.all([tick(), tick(), tick(), tick()]);
    expect(written.reduce((sum, batch) => sum + batch.written, 0)).toBe(1_200);
    expect(new Set(await keys()).size).toBe(1_200);
    const { left } = await db
      .selectFrom('mornings')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('devotional_at', '<=', new Date('2026-03-03T12:00:00Z'))
      .executeTakeFirstOrThrow();
    expect(left).toBe(0);
  });

  it('are written together with the next run time, or not at all', { tags: ['long'] }, async () => {
    const person = await one();
    await tick();
    setNow('2026-03-03T12:00:00Z');
    const broken = { ...job, emit: () => Promise.reject(new Error('broken off')) };
    await expect(tick(broken)).rejects.toThrow('broken off');
    expect(await keys()).toEqual([]);
    await tick();
    expect(await keys()).toEqual([`devotional:2026-03-03:${person.id}`]);
  });

  it('keep their keys for only a few days after sending', async () => {
    await one();
    await tick();
    await at('2026-03-03T12:00:00Z');
    await db
      .updateTable('mails')
      .set({ sent_at: new Date('2026-03-03T12:00:05Z') })
      .execute();
    setNow('2026-03-06T11:59:00Z');
    await deleteOldDailyMails(job);
    expect(await keys()).toHaveLength(1);
    setNow('2026-03-06T12:01:00Z');
    await deleteOldDailyMails(job);
    expect(await keys()).toEqual([]);
  });
});

describe('community updates', () => {
  const publish = (title: string, published: string) =>
    db
      .insertInto('resources')
      .values({
        id: job.newId(),
        title,
        author: 'Miriam Hale',
        type: 'book',
        category: 'grief-support',
        description: 'About grief',
        form: 'article',
        status: 'published',
        created_at: new Date(published),
        updated_at: new Date(published),
        published_at: new Date(published),
      })
      .execute();

  beforeEach(async () => {
    await db.deleteFrom('resources').execute();
  });

  it('arrive Monday mornings if there is news, each item once', async () => {
    await publish('Known Before', '2026-02-27T00:00:00Z');
    const person = await one({ devotionals: false, updates: true });
    await tick();
    expect((await morningOf(person))!.community_at?.toISOString()).toBe('2026-03-09T11:00:00.000Z');
    await publish('A Quiet Harbor', '2026-03-04T00:00:00Z');
    await at('2026-03-09T10:59:00Z');
    expect(await keys()).toEqual([]);
    await at('2026-03-09T11:00:00Z');
    await at('2026-03-09T11:01:00Z');
    expect(await keys()).toEqual([`community:2026-03-09:${person.id}`]);
    const [mail] = await mails();
    expect(mail!.text_body).toContain('A Quiet Harbor');
    expect(mail!.text_body).not.toContain('Known Before');
    // Nothing new, no email.
    await at('2026-03-16T11:00:00Z');
    expect(await keys()).toHaveLength(1);
    await publish('Bread for Tomorrow', '2026-03-17T00:00:00Z');
    await at('2026-03-23T11:00:00Z');
    expect(await keys()).toHaveLength(2);
  });

  it('name five items at most, and carry news over from a missed Monday', async () => {
    const person = await one({ devotionals: false, updates: true });
    await tick();
    for (let number = 1; number <= 7; number++) await publish(`Work ${number}`, '2026-03-05T00:00:00Z');
    await at('2026-03-09T18:00:00Z');
    expect(await keys()).toEqual([]);
    await at('2026-03-16T11:00:00Z');
    expect(await keys()).toEqual([`community:2026-03-16:${person.id}`]);
    const [mail] = await mails();
    expect(mail!.text_body.match(/Work \d/g)).toHaveLength(5);
    expect(mail!.text_body).toContain('And 2 more.');
  });

  it('skip people who didn’t subscribe', async () => {
    await one({ devotionals: true, updates: false });
    await tick();
    await publish('A Quiet Harbor', '2026-03-04T00:00:00Z');
    await at('2026-03-09T11:00:00Z');
    expect((await keys()).filter((key) => key.startsWith('community'))).toEqual([]);
  });
});

test('supports one-click unsubscribe without exposing an address', async () => {
  const sink = await openSmtpSink();
  try {
    const other = await testDatabase({
      now: '2026-03-02T12:30:00Z',
      transport: smtpTransport(sink.url, 'iTalk <no-reply@italk.example>'),
    });
    const [person] = await addClients(other.db, 1);
    await other.db.updateTable('users').set({ email_verified: true }).execute();
    await other.db
      .updateTable('profiles')
      .set({ time_zone: 'America/New_York', daily_devotionals: true })
      .execute();
    const worker = other.as({ kind: 'job', name: 'mornings' });
    await mailMornings(worker, parts);
    other.setNow('2026-03-03T12:00:00Z');
    await mailMornings(worker, parts);
    await other.runJobs();
    const [mail] = sink.mails;
    expect(mail!.headers.get('list-unsubscribe')).toMatch(
      /^<https:\/\/italk\.example\/api\/unsubscribe\?token=devotional\.[\w-]+\.[\w-]+>$/,
    );
    expect(mail!.headers.get('list-unsubscribe')).not.toContain('@');
    expect(mail!.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const html = mail!.parts.find(({ type }) => type === 'text/html')!.body;
    expect(html).toContain(`https://italk.example/unsubscribe?token=devotional.${person!.id}.`);
    expect(html).toContain('Stop daily devotionals');
    const row = await other.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ recipient: '', sealed_unsubscribe_url: null });
  } finally {
    await sink.close();
  }
});

const crowd = proving ? 10_000 : 600;

test(`writes all ${crowd} emails of one morning`, { tags: ['long'] }, async () => {
  for (let left = crowd; left > 0; left -= 300) await subscribers(Math.min(left, 300), {});
  const planning = performance.now();
  await tick();
  const planned = (performance.now() - planning) / 1_000;
  setNow('2026-03-03T12:00:00Z');
  const began = performance.now();
  const { written } = await tick();
  const seconds = (performance.now() - began) / 1_000;
  expect(written).toBe(crowd);
  if (!proving) return;
  process.stdout.write(
    `mornings: ${Math.round(crowd / planned)} planned a second, ${Math.round(crowd / seconds)} mails written a second\n`,
  );
  // Fast enough to email 100,000 people within an hour, even on a slow machine.
  expect(crowd / seconds).toBeGreaterThan(100_000 / 3_600);
});
