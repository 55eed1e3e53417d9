import { AppError, invalidField } from '#/kernel/errors.ts';
import { eachOnce } from '#/kernel/text.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { createAccount, requireFresh } from '#/features/accounts/commands.ts';
import { endSessions } from '#/features/accounts/users/commands.ts';
import { personOf } from '#/features/accounts/queries.ts';
import { authorize, selfOf, topicsOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone, recordView, type AuditedAction } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { closeSockets, publish } from '#/platform/realtime/publish.ts';
import { isExpired } from '../practice/rules.ts';
import { lockPerson } from '../documents/commands.ts';
import { decisionColumns, listProvider, nameAs, requireServices } from '../listing/commands.ts';
import { hasListing } from '../practice/queries.ts';
import type {
  AddInput,
  ApplicationStatus,
  CheckedApplication,
  OwnApplication,
  SubmitInput,
} from './contract.ts';
import { requireApplication, requireOwnPending, requirePendingApplication } from './policies.ts';
import { listApplications, ownApplication } from './queries.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'providers.application_decided': { applicationId: string };
    /** An administrator added a provider. `invited`: the account is new and has no password. */
    'providers.added': { providerId: string; invited: boolean };
  }
}

const perDay = 5;

/**
 * Submits the actor's application with its uploaded documents. Throws precondition `email_unverified`; conflict
 * `not_a_client` or `application_waiting`; rate_limited `too_many_applications`; invalid for an unknown time zone or
 * service, a past expiry date or missing documents.
 */
export async function submitApplication(ctx: Ctx, input: SubmitInput): Promise<OwnApplication> {
  authorize(ctx.actor, 'signed_in');
  const self = selfOf(ctx);
  requireKnownZone(input.timeZone);
  const today = ctx.now().toString().slice(0, 10);
  if (isExpired(input.expiresOn ?? null, today)) throw invalidField('expiresOn', 'past');
  await requireServices(ctx, input.serviceIds);
  await transact(ctx, async (tx) => {
    await lockPerson(tx, self);
    const person = await personOf(tx, self);
    if (person.role !== 'client' || (await hasListing(tx, self)))
      throw new AppError('conflict', 'not_a_client');
    if (!person.emailVerified) throw new AppError('precondition', 'email_unverified');
    const id = tx.newId();
    await tx.db
      .insertInto('provider_applications')
      .values({
        id,
        person_id: self,
        kind: input.type,
        full_name: input.fullName,
        phone: input.phone,
        specialization: input.specialization,
        experience: input.experience,
        education: eachOnce(input.education),
        location: input.location,
        time_zone: input.timeZone,
        bio: input.bio,
        languages: eachOnce(input.languages),
        service_ids: [...new Set(input.serviceIds)],
        credential_kind: input.credentialKind,
        credential_number: input.number,
        credential_issuer: input.issuer,
        credential_region: input.region,
        credential_expires_on: input.expiresOn ?? null,
        reason: null,
        submitted_at: new Date(tx.now().epochMilliseconds),
        decided_at: null,
        decided_by: null,
      })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirstOrThrow(() => new AppError('conflict', 'application_waiting'));
    if (!(await countAttempt(tx.db, `applications:${self}`, perDay, 86_400, tx.now())))
      throw new AppError('rate_limited', 'too_many_applications');
    const documents = [...new Set(input.documentIds)];
    const { numUpdatedRows } = await tx.db
      .updateTable('application_documents')
      .set({ application_id: id })
      .where('id', 'in', documents)
      .where('person_id', '=', self)
      .where('application_id', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== BigInt(documents.length)) throw invalidField('documentIds', 'document_missing');
    await record(tx, 'submitted', id);
    await notifyScreens(tx, self, id);
  });
  return (await ownApplication(ctx)).application!;
}

/** Deletes the actor's pending application and its documents. */
export async function withdrawApplication(ctx: Ctx, applicationId: string): Promise<{ id: string }> {
  authorize(ctx.actor, 'signed_in');
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const { id } = await requireOwnPending(tx, self, applicationId);
    await tx.db.deleteFrom('provider_applications').where('id', '=', id).execute();
    await tx.emit(tx, 'files.removed', { reason: 'removed' });
    await record(tx, 'withdrawn', id, { personId: self });
    await notifyScreens(tx, self, id);
    return { id };
  });
}

/** Returns a page of applications for administrators, and audits the view. */
export async function viewApplications(
  ctx: Ctx,
  page: Parameters<typeof listApplications>[1],
): ReturnType<typeof listApplications> {
  await recordView(ctx, { action: 'provider.applications_viewed' });
  return listApplications(ctx, page);
}

/** Returns an application with the documents this administrator opened, and audits the view. */
export async function checkApplication(ctx: Ctx, applicationId: string): Promise<CheckedApplication> {
  authorize(ctx.actor, ['manage_providers']);
  const application = await requireApplication(ctx, applicationId);
  await recordView(ctx, {
    action: 'provider.applications_viewed',
    subject: { kind: 'application', id: applicationId },
  });
  return application;
}

interface Decided {
  id: string;
  status: ApplicationStatus;
}

/**
 * Makes the applicant a listed provider with the submitted credential. Throws not_found; conflict `decided`, or
 * `not_a_client` if their role changed; precondition `documents_unopened` until the administrator has opened every
 * document.
 */
export async function approveApplication(ctx: Ctx, applicationId: string): Promise<Decided> {
  authorize(ctx.actor, ['manage_providers']);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    const application = await requirePendingApplication(tx, applicationId);
    const { person_id: userId } = application;
    const { documents, expired } = await requireApplication(tx, applicationId);
    if (documents.some(({ openedAt }) => openedAt === null))
      throw new AppError('precondition', 'documents_unopened');
    await nameAs(tx, userId, application.full_name);
    await listProvider(tx, {
      userId,
      kind: application.kind,
      specialization: application.specialization,
      experience: application.experience,
      location: application.location,
      bio: application.bio,
      education: application.education,
      languages: application.languages,
      phone: application.phone,
      timeZone: application.time_zone,
      serviceIds: await offeredAmong(tx, application.service_ids),
      credential: {
        credentialKind: application.credential_kind,
        number: application.credential_number,
        issuer: application.credential_issuer,
        region: application.credential_region,
        expiresOn: application.credential_expires_on ?? undefined,
      },
    });
    await close(tx, application, 'approved', null, {
      credential: application.credential_kind,
      credentialExpired: expired,
      expiresOn: application.credential_expires_on,
      documentsOpened: documents.length,
    });
    // Open pages reconnect with the provider role.
    await closeSockets(tx, `person:${userId}`);
    return { id: applicationId, status: 'approved' };
  });
}

/** Rejects an application with a reason for the applicant. Throws not_found, or conflict `decided`. */
export async function rejectApplication(ctx: Ctx, applicationId: string, reason: string): Promise<Decided> {
  authorize(ctx.actor, ['manage_providers']);
  return transact(ctx, async (tx) => {
    await close(tx, await requirePendingApplication(tx, applicationId), 'rejected', reason);
    return { id: applicationId, status: 'rejected' };
  });
}

async function close(
  tx: TxCtx,
  { id, person_id }: { id: string; person_id: string },
  status: 'approved' | 'rejected',
  reason: string | null,
  checked: AuditedAction['details'] = {},
): Promise<void> {
  await tx.db
    .updateTable('provider_applications')
    .set({ status, reason, ...decisionColumns(tx) })
    .where('id', '=', id)
    .execute();
  await record(tx, status, id, { personId: person_id, status: `pending → ${status}`, ...checked });
  await notifyScreens(tx, person_id, id);
  await tx.emit(tx, 'providers.application_decided', { applicationId: id });
}

/**
 * Adds a provider with a new account, or promotes the client account with that address if `existing` is set. Throws
 * conflict `account_is_client` (with their `name`) without `existing`, `account_exists` for other accounts; invalid for
 * an unknown time zone or service, or a past expiry date.
 */
export async function addProvider(
  ctx: Ctx,
  input: AddInput,
): Promise<{ id: string; slug: string; name: string }> {
  authorize(ctx.actor, ['manage_providers']);
  // Changing a role requires recent reauthentication.
  if (input.existing) await requireFresh(ctx);
  const today = ctx.now().toString().slice(0, 10);
  if (isExpired(input.credential?.expiresOn ?? null, today))
    throw invalidField('credential.expiresOn', 'past');
  if (input.serviceIds.length > 0) await requireServices(ctx, input.serviceIds);
  const timeZone = input.timeZone ?? (await siteSettings(ctx)).timezone;
  const account = { email: input.email, name: input.fullName, role: 'client', emailVerified: false } as const;
  try {
    return await transact(ctx, async (tx) => {
      const known = await clientWith(tx, input);
      const userId = known ?? (await createAccount(tx, account));
      if (known) await nameAs(tx, userId, input.fullName);
      const serviceIds = input.serviceIds.length > 0 ? input.serviceIds : await activeServices(tx);
      await listProvider(tx, { ...input, serviceIds, userId, kind: input.type, timeZone });
      await endSessions(tx, userId);
      await tx.emit(tx, 'providers.added', { providerId: userId, invited: known === null });
      const { slug } = await tx.db
        .selectFrom('providers')
        .select('slug')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      return { id: userId, slug, name: input.fullName };
    });
  } catch (error) {
    // Race: another request just took the address.
    if (sqlState(error) === '23505') throw new AppError('conflict', 'account_exists');
    throw error;
  }
}

/** Returns the client account with this address, if it may become a provider; null if unused. */
async function clientWith(tx: TxCtx, { email, existing }: AddInput): Promise<string | null> {
  const row = await tx.db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'role', 'full_name'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!row) return null;
  if (row.role !== 'client' || (await hasListing(tx, row.id)))
    throw new AppError('conflict', 'account_exists');
  if (!existing) throw new AppError('conflict', 'account_is_client', { data: { name: row.full_name } });
  return row.id;
}

/** Without a service, nobody could book them. */
async function activeServices({ db }: Ctx): Promise<string[]> {
  const rows = await db.selectFrom('services').select('id').where('active', '=', true).execute();
  return rows.map(({ id }) => id);
}

async function offeredAmong({ db }: Ctx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('services').select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => id);
}

async function record(
  tx: TxCtx,
  what: ActionAfter<'provider.application_'>,
  id: string,
  details: AuditedAction['details'] = {},
): Promise<void> {
  await recordDone(tx, {
    action: `provider.application_${what}`,
    subject: { kind: 'application', id },
    details,
  });
}

async function notifyScreens(tx: TxCtx, personId: string, id: string): Promise<void> {
  await publish(tx, [`person:${personId}`, ...topicsOf('manage_providers')], {
    type: 'providers.applications_changed',
    id,
  });
}
