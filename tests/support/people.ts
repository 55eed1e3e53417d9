import type { Kysely } from 'kysely';
import type { Actor } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import { defaultWeek, type WeeklyWindow } from '#/features/availability/rules.ts';

export type Person = Extract<Actor, { kind: 'person' }>;

export async function addClients(db: Kysely<Database>, count: number): Promise<Person[]> {
  return addPeople(db, count, 'client');
}

export async function addClient(db: Kysely<Database>): Promise<Person> {
  return (await addClients(db, 1))[0]!;
}

/** A provider's settings. Defaults: New York, default week, instant confirmation, listed, one 60-minute service. */
export interface ProviderTerms {
  timeZone?: string;
  week?: readonly WeeklyWindow[];
  approvesFirst?: boolean;
  listed?: boolean;
  services?: string[];
}

export async function addProvider(db: Kysely<Database>, terms: ProviderTerms = {}): Promise<Person> {
  const [person] = await addPeople(db, 1, 'doctor');
  await db
    .insertInto('providers')
    .values({
      id: person!.id,
      slug: `doctor-${person!.id}`,
      kind: 'doctor',
      title: 'Psychologist',
      specialties: ['Grief'],
      experience: '10 years',
      location: 'Boston',
      bio: 'Listens.',
      phone: null,
      time_zone: terms.timeZone ?? 'America/New_York',
      approves_first: terms.approvesFirst ?? false,
      listed: terms.listed ?? true,
    })
    .execute();
  const week = terms.week ?? defaultWeek;
  await db
    .insertInto('weekly_hours')
    .values(
      week.map(({ weekday, from, to }) => ({
        provider_id: person!.id,
        weekday,
        from_time: from,
        to_time: to,
      })),
    )
    .execute();
  await db
    .insertInto('provider_services')
    .values(
      (terms.services ?? [await sixtyMinutes(db)]).map((service_id) => ({
        provider_id: person!.id,
        service_id,
      })),
    )
    .execute();
  return person!;
}

export async function sixtyMinutes(db: Kysely<Database>): Promise<string> {
  return addService(db, { id: 'hour-of-care', durationMinutes: 60, priceCents: 10_000 });
}

export async function addService(
  db: Kysely<Database>,
  service: { id: string; durationMinutes: number; priceCents: number; active?: boolean },
): Promise<string> {
  await db
    .insertInto('services')
    .values({
      id: service.id,
      position: 99,
      title: 'An hour of care',
      category: 'Individual Healing',
      description: 'Care',
      based_on: 'Hope',
      support_offered: 'Talk',
      issues_addressed: [],
      spiritual_themes: '[]',
      duration_minutes: service.durationMinutes,
      price_cents: service.priceCents,
      active: service.active ?? true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return service.id;
}

/** Adds an administrator with recent reauthentication. */
export async function addAdministrator(db: Kysely<Database>): Promise<Person> {
  const { id } = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', id).execute();
  return freshSession(db, { kind: 'person', id, role: 'super_admin', sessionId: '' });
}

export async function freshSession(db: Kysely<Database>, person: Person): Promise<Person> {
  const sessionId = newId();
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      user_id: person.id,
      token: newId(),
      expires_at: new Date('2100-01-01'),
      ip_address: null,
      user_agent: null,
      reauthenticated_at: new Date('2100-01-01'),
      fully_reauthenticated_at: new Date('2100-01-01'),
    })
    .execute();
  return { ...person, sessionId };
}

async function addPeople(db: Kysely<Database>, count: number, role: 'client' | 'doctor'): Promise<Person[]> {
  const people = Array.from({ length: count }, (): Person => ({
    kind: 'person',
    id: newId(),
    role,
    sessionId: newId(),
  }));
  await db
    .insertInto('users')
    .values(people.map(({ id }) => ({ id, name: `Person ${id.slice(-6)}`, email: `${id}@people.example` })))
    .execute();
  await db
    .insertInto('profiles')
    .values(people.map(({ id }) => ({ id, role, full_name: `Person ${id.slice(-6)}` })))
    .execute();
  return people;
}
