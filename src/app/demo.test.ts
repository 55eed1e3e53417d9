import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor, Role } from '#/kernel/actor.ts';
import { seedDemo } from '#/app/demo.ts';
import { featuredTestimonials, services } from '#/features/catalogue/queries.ts';
import { clientFigures, providerFigures } from '#/features/booking/figures/queries.ts';
import { selfOf } from '#/features/booking/queries.ts';
import { listSpecialists } from '#/features/providers/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { testDatabase } from '../../tests/support/database.ts';

// A Saturday in November: half of the day is over in New York.
const { db, as, setNow } = await testDatabase({ now: '2026-11-21T18:00:00Z' });
const system = as({ kind: 'system' });
const guest = as({ kind: 'guest' });

async function person(email: string) {
  const { id, role } = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'role'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const actor: Actor = { kind: 'person', id, role: role as Role, sessionId: id };
  return as(actor);
}

describe('the demo', () => {
  let seconds: number;
  beforeAll(async () => {
    const began = performance.now();
    // Three programs start at once.
    expect((await Promise.all([1, 2, 3].map(() => seedDemo(system)))).sort()).toEqual([false, false, true]);
    seconds = (performance.now() - began) / 1000;
  });

  it('is seeded within six seconds, once', async () => {
    expect(seconds).toBeLessThan(6);
    const count = async (table: 'users' | 'appointments' | 'testimonials') =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow();
    const before = await Promise.all([count('users'), count('appointments'), count('testimonials')]);
    expect(await seedDemo(system)).toBe(false);
    expect(await Promise.all([count('users'), count('appointments'), count('testimonials')])).toEqual(before);
    expect(before[0]!.rows).toBe(18);
  });

  it('has an account of every role, verified, with a password', async () => {
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

  it('fills the landing page: six services, three specialists with more than two specialties, six testimonials', async () => {
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
    expect(new Set((await featuredTestimonials(guest)).map(({ service }) => service.id)).size).toBe(6);
  });

  it('gives the demo client the spec’s figures, and the doctor a day and a month', async () => {
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

  it('leaves no session open that is over, and lets one wait for its provider', async () => {
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

  it('sends no mail about the past: only alarms for the time to come wait', async () => {
    const overdue = await db
      .selectFrom('reminders')
      .select('id')
      .where('sent_at', 'is', null)
      .where('due_at', '<=', new Date('2026-11-21T18:00:00Z'))
      .execute();
    expect(overdue).toEqual([]);
    expect(await db.selectFrom('mails').select('id').execute()).toEqual([]);
  });
});

describe('on other days', async () => {
  it('is left alone where somebody has an account', async () => {
    setNow('2026-12-01T12:00:00Z');
    expect(await seedDemo(system)).toBe(false);
  });
});
