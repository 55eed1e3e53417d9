import type { Ctx, TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { transact } from '#/platform/db/transact.ts';
import type { RemindersTable } from '../appointment/tables.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** `claimDueReminder` decides whether to send it. */
    'booking.reminder_due': { reminderId: string };
  }
}

/** `start` in epoch milliseconds, lead times in minutes. */
export interface RemindedSession {
  appointmentId: string;
  start: number;
  clientId: string;
  providerId: string;
  /** Guests who accepted. */
  guestIds?: readonly string[];
  ownMinutes: number;
  siteMinutes: number;
}

/** Schedules reminders within the booking's transaction. */
export async function addReminders(
  tx: TxCtx,
  sessions: readonly RemindedSession[],
  only?: string,
): Promise<void> {
  const now = tx.now().epochMilliseconds;
  await writeReminders(
    tx,
    sessions.flatMap((session) =>
      plannedReminders({ ...session, now })
        .filter(({ personId }) => only === undefined || personId === only)
        .map((planned) => ({ ...planned, appointmentId: session.appointmentId })),
    ),
  );
}

async function writeReminders(
  tx: TxCtx,
  planned: readonly (PlannedReminder & { appointmentId: string })[],
): Promise<void> {
  const rows = planned.map(({ appointmentId, personId, kind, dueAt }): RemindersTable => ({
    id: tx.newId(),
    appointment_id: appointmentId,
    person_id: personId,
    kind,
    due_at: new Date(dueAt),
    queued_at: null,
    sent_at: null,
  }));
  if (rows.length > 0) await insertReminders(tx.db, { rows });
}

const insertReminders = compiledOnce((db, { rows }: { rows: readonly RemindersTable[] }) =>
  db.insertInto('reminders').values(rows),
);

export async function addGuestReminder(
  tx: TxCtx,
  guest: { appointmentId: string; personId: string; start: number; siteMinutes: number },
): Promise<void> {
  const { appointmentId, personId, start, siteMinutes } = guest;
  const dueAt = start - siteMinutes * 60_000;
  if (dueAt > tx.now().epochMilliseconds)
    await writeReminders(tx, [{ appointmentId, personId, kind: 'site', dueAt }]);
}

export async function deletePersonReminders(
  tx: TxCtx,
  { appointmentId, personId }: { appointmentId: string; personId: string },
): Promise<void> {
  await tx.db
    .deleteFrom('reminders')
    .where('appointment_id', '=', appointmentId)
    .where('person_id', '=', personId)
    .execute();
}

/** Most reminders queued in one transaction. */
const maxAtOnce = 500;

/** Queues each due reminder once. Safe to run in parallel. */
export async function queueDueReminders(ctx: Ctx): Promise<void> {
  while ((await transact(ctx, queueSome)) === maxAtOnce);
}

async function queueSome(tx: TxCtx): Promise<number> {
  const now = new Date(tx.now().epochMilliseconds);
  const due = await tx.db
    .updateTable('reminders')
    .set({ queued_at: now })
    .where('id', 'in', (db) =>
      db
        .selectFrom('reminders')
        .select('id')
        .where('queued_at', 'is', null)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(maxAtOnce)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  await Promise.all(due.map(({ id }) => tx.emit(tx, 'booking.reminder_due', { reminderId: id })));
  return due.length;
}

/** Deletes a session's reminders; pending jobs then find nothing to send. */
export async function deleteReminders(tx: TxCtx, appointmentId: string): Promise<void> {
  await tx.db.deleteFrom('reminders').where('appointment_id', '=', appointmentId).execute();
}

export async function replaceReminders(tx: TxCtx, session: RemindedSession): Promise<void> {
  await deleteReminders(tx, session.appointmentId);
  await addReminders(tx, [session]);
}

/** Leaves those of others, which may be due. */
export async function replaceClientReminders(tx: TxCtx, session: RemindedSession): Promise<void> {
  const { appointmentId, clientId } = session;
  await deletePersonReminders(tx, { appointmentId, personId: clientId });
  await addReminders(tx, [session], clientId);
}

/**
 * Claims a reminder within the transaction that writes its message, so exactly one caller sends it. Returns null if it
 * was moved, canceled or sent, or the session has begun.
 */
export async function claimDueReminder(
  tx: TxCtx,
  reminderId: string,
): Promise<{ appointmentId: string; personId: string; kind: 'own' | 'site' } | null> {
  const now = new Date(tx.now().epochMilliseconds);
  const taken = await tx.db
    .updateTable('reminders')
    .from('appointments')
    .set({ sent_at: now })
    .where('reminders.id', '=', reminderId)
    .where('reminders.sent_at', 'is', null)
    .whereRef('appointments.id', '=', 'reminders.appointment_id')
    .where('appointments.status', 'in', ['pending', 'confirmed'])
    .where('appointments.starts_at', '>', now)
    .returning([
      'reminders.appointment_id as appointmentId',
      'reminders.person_id as personId',
      'reminders.kind',
    ])
    .executeTakeFirst();
  return taken ?? null;
}

/** Instants are epoch milliseconds. */
interface PlannedReminder {
  personId: string;
  kind: 'own' | 'site';
  dueAt: number;
}

/**
 * Plans the client's own reminder and the site's for everyone attending. Skips past times, and duplicates for the
 * client.
 */
function plannedReminders(session: {
  start: number;
  clientId: string;
  providerId: string;
  guestIds?: readonly string[];
  ownMinutes: number;
  siteMinutes: number;
  now: number;
}): PlannedReminder[] {
  const { start, clientId, providerId, guestIds = [], ownMinutes, siteMinutes, now } = session;
  const site = { kind: 'site' as const, dueAt: start - siteMinutes * 60_000 };
  const planned: PlannedReminder[] = [
    { personId: clientId, kind: 'own', dueAt: start - ownMinutes * 60_000 },
    { personId: providerId, ...site },
    ...guestIds.map((personId) => ({ personId, ...site })),
  ];
  if (siteMinutes !== ownMinutes) planned.push({ personId: clientId, ...site });
  return planned.filter(({ dueAt }) => dueAt > now);
}
