import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor, Role } from '#/kernel/actor.ts';
import { seedDemo } from '#/app/demo.ts';
import { selfOf } from '#/features/access/rules.ts';
import { overview } from '#/features/analytics/overview/queries.ts';
import { conversationsOf, unreadOf } from '#/features/messaging/queries.ts';
import { services } from '#/features/catalogue/queries.ts';
import { clientFigures, providerFigures } from '#/features/appointments/figures/queries.ts';
import { listApplications } from '#/features/providers/applications/queries.ts';
import { answerDocument } from '#/features/providers/documents/commands.ts';
import { listSpecialists } from '#/features/providers/queries.ts';
import { featuredTestimonials } from '#/features/reviews/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { sampleOf } from '../../tests/support/prove.ts';

// A November Saturday, 1 PM in New York: half of the day is over.
const { db, as } = await testDatabase({ now: '2026-11-21T18:00:00Z' });
const system = as({ kind: 'system' });
const guest = as({ kind: 'guest' });

async function person(email: string) {
  const { id, role } = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'role'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const actor: Actor = { kind: 'person', id, role, sessionId: id };
  return as(actor);
}

describe('the demo', () => {
  let answers: boolean[];
  const events: string[] = [];
  beforeAll(async () => {
    const emit: typeof system.emit = async (_tx, event) => {
      events.push(event);
    };
    answers = await Promise.all([1, 2, 3].map(() => seedDemo({ ...system, emit })));
  });

  it('is seeded once when three processes start together', async () => {
    expect(answers.filter(Boolean)).toHaveLength(1);
    const count = async (table: 'users' | 'appointments' | 'reviews') =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow();
    const before = await Promise.all([count('users'), count('appointments'), count('reviews')]);
    expect(await seedDemo(system)).toBe(false);
    expect(await Promise.all([count('users'), count('appointments'), count('reviews')])).toEqual(before);
    expect(before[0].rows).toBe(20);
  });

  it('has a verified account with a password for every role', async () => {
    const rows = await db
      .selectFrom('users')
      .innerJoin('profiles', 'profiles.id', 'users.id')
      .innerJoin('credentials', 'credentials.user_id', 'users.id')
      .select(['email', 'role', 'email_verified'])
      .where(
        'email',
        'in',
        ['client', 'doctor', 'pastor', 'admin'].map((name) => `${name}@italk.example`),
      )
      .orderBy('email')
      .execute();
    expect(rows).toEqual([
      { email: 'admin@italk.example', role: 'super_admin', email_verified: true },
      { email: 'client@italk.example', role: 'client', email_verified: true },
      { email: 'doctor@italk.example', role: 'doctor', email_verified: true },
      { email: 'pastor@italk.example', role: 'pastor', email_verified: true },
    ]);
    expect((await siteSettings(guest)).password_min_length).toBe(6);
  });

  it('has no account that was last active before it joined, wrote or applied', async () => {
    const { rows } = await sql<{ email: string }>`
      select u.email from users u join profiles p on p.id = u.id
      where p.last_active_at < greatest(
        p.created_at,
        (select max(sent_at) from messages where u.id = case when from_client then client_id else provider_id end),
        (select max(submitted_at) from provider_applications where person_id = u.id)
      ) - interval '12 hours'`.execute(db);
    expect(rows).toEqual([]);
    const inactive = await db
      .selectFrom('profiles')
      .select('full_name')
      .where('last_active_at', '<', new Date('2026-08-23T18:00:00Z'))
      .orderBy('full_name')
      .execute();
    expect(inactive.map(({ full_name: name }) => name)).toEqual([
      'Nathan Cole',
      'Priscilla Adams',
      'Thomas Keller',
    ]);
  });

  it('fills the landing page: six services, three specialists with 2+ specialties, six testimonials', async () => {
    const specialists = await listSpecialists(guest, { limit: 50 });
    expect(specialists).toHaveLength(4);
    for (const { specialties, rating, reviewCount } of specialists) {
      expect(specialties.length).toBeGreaterThan(2);
      expect(rating).toBe(4.9);
      expect(reviewCount).toBeGreaterThan(30);
    }
    expect(specialists.filter(({ approvesFirst }) => approvesFirst)).toHaveLength(1);
    for (const { id } of await services(guest)) {
      expect(specialists.filter(({ serviceIds }) => serviceIds.includes(id)).length).toBeGreaterThanOrEqual(
        2,
      );
    }
    const testimonials = await featuredTestimonials(guest);
    expect(new Set(testimonials.map(({ service }) => service.id)).size).toBe(6);
    // No child must be identifiable: a parent speaks, without a name or city.
    const ofTeens = testimonials.filter(({ service }) => service.id === 'teens');
    expect(ofTeens.map(({ name, place }) => [name, place])).toEqual([['A father', 'Colorado']]);
  });

  it('gives the demo client the spec’s stats, and the doctor a day and a month', async () => {
    const client = await person('client@italk.example');
    expect(await clientFigures(client, selfOf(client), 'America/New_York')).toEqual({
      upcoming: 3,
      sessionsThisMonth: 4,
      hoursOfCare: 6.5,
    });
    const doctor = await person('doctor@italk.example');
    expect(await providerFigures(doctor, selfOf(doctor))).toMatchObject({
      today: 5,
      thisMonth: 47,
      rating: 4.9,
    });
    const pastor = await person('pastor@italk.example');
    expect((await providerFigures(pastor, selfOf(pastor))).pending).toBeGreaterThan(0);
  });

  it('has unread messages in three conversations for the client, the doctor and the pastor', async () => {
    for (const [email, unread] of [
      ['client@italk.example', { messages: 3, conversations: 2 }],
      ['doctor@italk.example', { messages: 2, conversations: 2 }],
      ['pastor@italk.example', { messages: 3, conversations: 2 }],
    ] as const) {
      const ctx = await person(email);
      expect(await unreadOf(ctx, selfOf(ctx)), email).toEqual(unread);
      const { conversations } = await conversationsOf(ctx, selfOf(ctx), { limit: 10 });
      expect(conversations.length).toBeGreaterThanOrEqual(3);
      for (const { closed, last } of conversations) {
        expect(closed).toBeNull();
        expect(last.text).not.toBe('');
      }
    }
  });

  it('has a previous month with plausible growth to this one', async () => {
    const { activeSessions } = await overview(await person('admin@italk.example'));
    const growth = activeSessions.now / activeSessions.before;
    expect(growth).toBeGreaterThan(0.9);
    expect(growth).toBeLessThan(1.4);
  });

  it('has two pending specialist applications with readable documents', async () => {
    const administrator = await person('admin@italk.example');
    const { applications, counts } = await listApplications(administrator, { status: 'pending', limit: 10 });
    expect(counts).toEqual({ pending: 2, approved: 0, rejected: 0 });
    expect(applications.map(({ type }) => type)).toEqual(['pastor', 'doctor']);
    for (const { documents, services: wanted } of applications) {
      expect(wanted.length).toBeGreaterThan(0);
      expect(documents.length).toBeGreaterThan(0);
      for (const { id, contentType, size } of documents) {
        expect(contentType).toBe('application/pdf');
        expect(size).toBeLessThan(5_000);
        const answer = await answerDocument(administrator, new Request('https://italk.test/'), id);
        expect((await answer.text()).slice(0, 5)).toBe('%PDF-');
      }
    }
  });

  it('puts the client on the waiting list for a time that may open up', async () => {
    const client = await person('client@italk.example');
    const {
      weekdays,
      day_parts: parts,
      provider_id: provider,
    } = await db
      .selectFrom('waits')
      .where('client_id', '=', selfOf(client))
      .selectAll()
      .executeTakeFirstOrThrow();
    const hours = await db
      .selectFrom('weekly_hours')
      .where('provider_id', '=', provider)
      .select('weekday')
      .execute();
    expect(hours.map(({ weekday }) => weekday)).toEqual(expect.arrayContaining(weekdays));
    expect(parts).toHaveLength(1);
  });

  it('leaves no past session open, and one pending for its provider', async () => {
    const now = new Date('2026-11-21T18:00:00Z');
    const open = await db
      .selectFrom('appointments')
      .select('id')
      .where('ends_at', '<=', now)
      .where('status', 'in', ['pending', 'confirmed'])
      .execute();
    expect(open).toEqual([]);
    const states = await db
      .selectFrom('appointments')
      .select('status')
      .distinct()
      .orderBy('status')
      .execute();
    expect(states.map(({ status }) => status)).toEqual([
      'cancelled',
      'completed',
      'confirmed',
      'no_show',
      'pending',
    ]);
  });

  it('sends nothing about the past: only upcoming reminders are scheduled', async () => {
    const now = '2026-11-21T18:00:00Z';
    const rows = await db.selectFrom('reminders').select(['due_at', 'queued_at', 'sent_at']).execute();
    const [toCome, past] = [true, false].map((ahead) =>
      rows.filter(({ due_at }) => due_at > new Date(now) === ahead),
    );
    expect(past!.length).toBeGreaterThan(0);
    expect(past!.filter(({ queued_at, sent_at }) => !queued_at || !sent_at)).toEqual([]);
    expect(toCome!.length).toBeGreaterThan(0);
    expect(toCome!.filter(({ queued_at, sent_at }) => queued_at || sent_at)).toEqual([]);
    expect(events).toEqual([]);
  });
});

describe('at calendar boundaries', () => {
  const edges = [
    ['the first of a month, a Sunday', '2026-03-01T15:00:00Z', 3, 0],
    ['the last of a month, a Saturday', '2026-02-28T23:00:00Z', 4, 5],
    ['the day before the clocks change', '2026-10-31T16:00:00Z', 4, 5],
  ] as const;
  it.each(sampleOf(edges, 1))('keeps the stats on %s', async (_, now, sessionsThisMonth, today) => {
    const other = await testDatabase({ now });
    const ctx = other.as({ kind: 'system' });
    expect(await seedDemo(ctx)).toBe(true);
    const self = async (email: string, role: Role) => {
      const { id } = await other.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return other.as({ kind: 'person', id, role, sessionId: id });
    };
    const client = await self('client@italk.example', 'client');
    expect(await clientFigures(client, selfOf(client), 'America/New_York')).toEqual({
      upcoming: 3,
      sessionsThisMonth,
      hoursOfCare: 6.5,
    });
    const doctor = await self('doctor@italk.example', 'doctor');
    expect(await providerFigures(doctor, selfOf(doctor))).toMatchObject({ today, thisMonth: 47 });
  });
});

describe('an interrupted seeding', async () => {
  const other = await testDatabase();
  const ctx = other.as({ kind: 'system' });

  it('stores nothing, and the next one seeds everything', { tags: ['long'] }, async () => {
    let ids = 0;
    const breaks = () => {
      if (++ids > 700) throw new Error('broken off');
      return ctx.newId();
    };
    await expect(seedDemo({ ...ctx, newId: breaks })).rejects.toThrow('broken off');
    expect(await other.db.selectFrom('users').select('id').execute()).toEqual([]);
    expect((await siteSettings(ctx)).password_min_length).toBe(8);
    expect(await seedDemo(ctx)).toBe(true);
  });
});
