import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createDemoAccount } from '#/features/accounts/demo.ts';
import { noteActive } from '#/features/accounts/session/commands.ts';
import { seedAbsences, seedHours } from '#/features/availability/dates/demo.ts';
import { seedAppointments, type DemoClient, type DemoProvider } from '#/features/appointments/demo.ts';
import { visitAsAuthor } from '#/features/accounts/author-keys/demo.ts';
import { seedCare } from '#/features/care/demo.ts';
import { seedContact } from '#/features/contact/demo.ts';
import { seedGrowth } from '#/features/growth/demo.ts';
import { seedMessages } from '#/features/messaging/demo.ts';
import { demoApplicants, seedApplicants } from '#/features/providers/applications/demo.ts';
import { demoSpecialists, seedSpecialists } from '#/features/providers/demo.ts';
import { seedResources } from '#/features/resources/demo.ts';
import { seedReviews } from '#/features/reviews/demo.ts';
import { seedSettings } from '#/features/settings/demo.ts';
import { seedWait } from '#/features/waitlist/demo.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';

const eastern = 'America/New_York';
const central = 'America/Chicago';
const pacific = 'America/Los_Angeles';

/** Name, mailbox, phone, zone, and days since they used it; the demo client first. */
const clients: readonly (readonly [string, string, string, string, number?])[] = [
  ['Hannah Brooks', 'client', '+1 555 010 0101', eastern],
  ['Grace Thompson', 'grace.thompson', '+1 555 010 0102', eastern],
  ['Michael Osei', 'michael.osei', '+1 555 010 0103', central],
  ['Elena Petrova', 'elena.petrova', '+1 555 010 0104', eastern],
  ['Joshua Kim', 'joshua.kim', '+1 555 010 0105', pacific],
  ['Ruth Andersen', 'ruth.andersen', '+1 555 010 0106', central],
  ['Caleb Johnson', 'caleb.johnson', '+1 555 010 0107', eastern],
  ['Maria Santos', 'maria.santos', '+1 555 010 0108', pacific],
  ['David Nguyen', 'david.nguyen', '+1 555 010 0109', eastern],
  ['Esther Mwangi', 'esther.mwangi', '+1 555 010 0110', central],
  ['Thomas Keller', 'thomas.keller', '+1 555 010 0111', eastern, 92],
  ['Priscilla Adams', 'priscilla.adams', '+1 555 010 0112', pacific, 96],
  ['Nathan Cole', 'nathan.cole', '+1 555 010 0113', eastern, 102],
];

/** Sessions this month and today, in provider order. */
const busyness = [
  { thisMonth: 47, today: 5 },
  { thisMonth: 26, today: 3 },
  { thisMonth: 22, today: 2 },
  { thisMonth: 14, today: 1, sabbathIn: 'Denver' },
] as const;

/**
 * Seeds an empty database with demo people, ratings and appointments in one transaction, dated relative to `ctx.now()`.
 * Returns false if accounts exist or another process seeded first.
 */
export async function seedDemo(ctx: Ctx): Promise<boolean> {
  for (;;) {
    const seeded = await seedUnlessBusy(ctx);
    if (seeded !== null) return seeded;
    await sleep(200);
  }
}

/** Seeds once, or returns null while another process seeds: that outlasts the lock timeout. */
async function seedUnlessBusy(ctx: Ctx): Promise<boolean | null> {
  return transact({ ...ctx, emit: sendNothing }, async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('demo', 0)) as mine`.execute(tx.db);
    if (!rows[0]!.mine) return null;
    if (await tx.db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return false;
    await seedSettings(tx);
    const specialists = demoSpecialists();
    const people = await seedPeople(tx);
    const idOf = (email: string) => people.get(email)!;
    await seedSpecialists(tx, idOf);
    const providers = specialists.map((specialist, index): DemoProvider => ({
      ...specialist,
      ...busyness[index]!,
      id: idOf(specialist.email),
    }));
    await seedHours(tx, providers);
    const [client, ...others] = clients.map(([name, mailbox, phone, timeZone]): DemoClient => {
      const email = addressOf(mailbox);
      return { id: idOf(email), name, email, phone, timeZone };
    });
    const [doctor, pastor, family, ...further] = providers;
    await seedAppointments(tx, {
      client: client!,
      others,
      providers: [doctor!, pastor!, family!, ...further],
    });
    await seedWait(tx, { client: client!, doctor: doctor! });
    await seedAbsences(tx, doctor!);
    await seedReviews(
      tx,
      specialists.map((specialist) => ({ ...specialist, id: idOf(specialist.email) })),
      [client!, ...others],
    );
    const author = async <P extends { id: string }>(person: P) => ({
      ...person,
      visit: await visitAsAuthor(tx, person.id),
    });
    await seedCare(tx, {
      client: client!,
      doctor: await author(doctor!),
      pastor: await author(pastor!),
    });
    await seedMessages(tx, { client: client!, doctor: doctor!, pastor: pastor!, third: family!, others });
    await seedResources(tx, {
      administrator: { id: idOf(addressOf('admin')), name: 'iTalk Administrator', role: 'super_admin' },
      specialists: specialists.map(({ email, name, kind }) => ({ id: idOf(email), name, role: kind })),
      readers: [client!, ...others].map(({ id, name }) => ({ id, name, role: 'client' })),
    });
    await seedGrowth(tx, { client: await author(client!), doctor: doctor!, pastor: pastor! });
    await seedContact(tx);
    await seedApplicants(tx, idOf);
    return true;
  });
}

/** Demo events are all in the past. */
async function sendNothing(): Promise<void> {}

function addressOf(mailbox: string): string {
  return `${mailbox}@italk.example`;
}

async function seedPeople(tx: TxCtx): Promise<Map<string, string>> {
  const now = tx.now();
  const accounts = [
    {
      email: addressOf('admin'),
      name: 'iTalk Administrator',
      role: 'super_admin' as const,
      timeZone: eastern,
    },
    ...demoSpecialists().map(({ email, name, timeZone }) => ({
      email,
      name,
      timeZone,
      role: 'client' as const,
    })),
    // Null lets times follow the visitor's device.
    ...clients.map(([name, mailbox, , , daysAgo]) => ({
      email: addressOf(mailbox),
      name,
      timeZone: null,
      daysAgo,
      role: 'client' as const,
    })),
    ...demoApplicants().map(({ email, fullName: name, timeZone, daysAgo }) => ({
      email,
      name,
      timeZone,
      daysAgo,
      role: 'client' as const,
    })),
  ];
  const ids = new Map<string, string>();
  for (const [index, account] of accounts.entries()) {
    const joined = now.subtract({ hours: 24 * (200 - 5 * index) });
    const id = await createDemoAccount({ ...tx, now: () => joined }, account);
    const daysAgo = 'daysAgo' in account ? (account.daysAgo ?? 0) : 0;
    const used = now.subtract({ hours: 24 * daysAgo, minutes: 30 * index });
    await noteActive({ ...tx, now: () => used }, id);
    ids.set(account.email, id);
  }
  return ids;
}
