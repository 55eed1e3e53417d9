import { AppError, invalidField } from '#/kernel/errors.ts';
import { eachOnce } from '#/kernel/text.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import { createAccount, requireFresh } from '#/features/accounts/commands.ts';
import { endSessions } from '#/features/accounts/directory/commands.ts';
import { personOf } from '#/features/accounts/queries.ts';
import { authorise, selfOf, topicsOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone, recordView, type AuditedAct } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { hit } from '#/platform/http/limits.ts';
import { closeSockets, publish } from '#/platform/realtime/publish.ts';
import { createProvider, followAccount, type NewProvider } from '../commands.ts';
import type { CredentialKind } from '../credentials/contract.ts';
import { isExpired } from '../credentials/rules.ts';
import { lockPerson } from '../documents/commands.ts';
import { followCredentials } from '../expiry/commands.ts';
import { hasListing } from '../queries.ts';
import type {
  AddInput,
  ApplicationStatus,
  CheckedApplication,
  OwnApplication,
  SubmitInput,
} from './contract.ts';
import { applicationToCheck, listApplications, ownApplication, waitingApplication } from './queries.ts';
import { kindText } from '../rules.ts';
import { specialtiesOf } from './rules.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    'providers.application_decided': { applicationId: string };
    /** An administrator has listed somebody; `invited`: with a new account, which has no password yet. */
    'providers.added': { providerId: string; invited: boolean };
  }
}

/** How many applications one person may send in a day. */
const perDay = 5;

/**
 * Sends the application of the person who acts, with the documents that they have uploaded for it. Throws precondition
 * `email_unverified`; conflict `not_a_client`, `application_waiting`; rate_limited `too_many_applications`; invalid for
 * an unknown zone or service, a last day that is past and documents that aren't there.
 */
export async function submitApplication(ctx: Ctx, input: SubmitInput): Promise<OwnApplication> {
  authorise(ctx.actor, 'signed_in');
  const self = selfOf(ctx);
  if (!isKnownZone(input.timeZone)) throw invalidField('timeZone', 'unknown_zone');
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
    const sent = await tx.db
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
      .executeTakeFirst();
    if (!sent) throw new AppError('conflict', 'application_waiting');
    if (!(await hit(tx.db, `applications:${self}`, perDay, 86_400, tx.now())))
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
    await tellScreens(tx, self, id);
  });
  return (await ownApplication(ctx)).application!;
}

async function requireServices({ db }: Ctx, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const known = await db
    .selectFrom('services')
    .select('id')
    .where('id', 'in', wanted)
    .where('active', '=', true)
    .execute();
  if (known.length < wanted.length) throw invalidField('serviceIds', 'unknown_service');
}

/** Takes back the waiting application of the person who acts, with its documents. */
export async function withdrawApplication(ctx: Ctx, applicationId: string): Promise<{ id: string }> {
  authorise(ctx.actor, 'signed_in');
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const gone = await tx.db
      .deleteFrom('provider_applications')
      .where('id', '=', applicationId)
      .where('person_id', '=', self)
      .where('status', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw new AppError('not_found', 'application');
    await tx.emit(tx, 'files.removed', { reason: 'removed' });
    await record(tx, 'withdrawn', gone.id, { personId: self });
    await tellScreens(tx, self, gone.id);
    return gone;
  });
}

/** A page of applications, for who decides on them; that they looked is noted. */
export async function lookThroughApplications(
  ctx: Ctx,
  page: Parameters<typeof listApplications>[1],
): ReturnType<typeof listApplications> {
  await recordView(ctx, { action: 'provider.applications_viewed', category: 'provider_approval' });
  return listApplications(ctx, page);
}

/** What an administrator is about to decide on, and which documents they have opened; that they looked is noted. */
export async function checkApplication(ctx: Ctx, applicationId: string): Promise<CheckedApplication> {
  authorise(ctx.actor, ['manage_providers']);
  const application = await applicationToCheck(ctx, applicationId);
  await recordView(ctx, {
    action: 'provider.applications_viewed',
    category: 'provider_approval',
    subject: { kind: 'application', id: applicationId },
  });
  return application;
}

/** What a decision comes to. */
interface Decided {
  id: string;
  status: ApplicationStatus;
}

/**
 * Makes the applicant a specialist of the directory, with the credential that they gave; not_found, conflict `decided`
 * where it waits no more, `not_a_client` for whoever has become something else meanwhile,
 * precondition `documents_unopened` until the administrator has opened every document.
 */
export async function approveApplication(ctx: Ctx, applicationId: string): Promise<Decided> {
  authorise(ctx.actor, ['manage_providers']);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    const application = await waitingApplication(tx, applicationId);
    const { person_id: userId } = application;
    const { documents, expired } = await applicationToCheck(tx, applicationId);
    if (documents.some(({ openedAt }) => openedAt === null))
      throw new AppError('precondition', 'documents_unopened');
    await nameAs(tx, userId, application.full_name);
    await list(tx, {
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
      serviceIds: await stillOffered(tx, application.service_ids),
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
    // Their open pages come back as a specialist's.
    await closeSockets(tx, `person:${userId}`);
    return { id: applicationId, status: 'approved' };
  });
}

/** Gives an application back to who sent it, who reads why; not_found, conflict `decided` where it waits no more. */
export async function rejectApplication(ctx: Ctx, applicationId: string, reason: string): Promise<Decided> {
  authorise(ctx.actor, ['manage_providers']);
  return transact(ctx, async (tx) => {
    await close(tx, await waitingApplication(tx, applicationId), 'rejected', reason);
    return { id: applicationId, status: 'rejected' };
  });
}

async function close(
  tx: TxCtx,
  { id, person_id }: { id: string; person_id: string },
  status: 'approved' | 'rejected',
  reason: string | null,
  checked: AuditedAct['details'] = {},
): Promise<void> {
  await tx.db
    .updateTable('provider_applications')
    .set({ status, reason, ...decidedNow(tx) })
    .where('id', '=', id)
    .execute();
  await record(tx, status, id, { personId: person_id, status: `pending → ${status}`, ...checked });
  await tellScreens(tx, person_id, id);
  await tx.emit(tx, 'providers.application_decided', { applicationId: id });
}

/**
 * Lists somebody as a specialist, with a new account or, where that is asked for, the client's account that has the
 * address. Throws conflict `account_is_client` (with their `name`) where it wasn't asked for, `account_exists` for
 * anybody else's address; invalid for an unknown zone or service and a last day that is past.
 */
export async function addProvider(
  ctx: Ctx,
  input: AddInput,
): Promise<{ id: string; slug: string; name: string }> {
  authorise(ctx.actor, ['manage_providers']);
  // Another's account gets another role.
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
      await list(tx, { ...input, userId, kind: input.type, timeZone });
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
    // Somebody took the address in the same moment.
    if (sqlState(error) === '23505') throw new AppError('conflict', 'account_exists');
    throw error;
  }
}

/** The client's account that has the address, where it may become a specialist's; null where nobody has it. */
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

/** What a specialist is listed with, however they came. */
interface Listing {
  userId: string;
  kind: NewProvider['kind'];
  specialization: string;
  experience: string;
  location: string;
  bio: string;
  education: readonly string[];
  languages: readonly string[];
  phone: string;
  timeZone: string;
  serviceIds: readonly string[];
  inPerson?: boolean | undefined;
  credential?:
    | {
        credentialKind: CredentialKind;
        number: string;
        issuer: string;
        region: string;
        expiresOn?: string | undefined;
      }
    | undefined;
}

/** Puts a client into the directory, with what licenses or ordains them. */
async function list(
  tx: TxCtx,
  { specialization, credential, phone, inPerson = false, ...listing }: Listing,
): Promise<void> {
  await createProvider(tx, {
    ...listing,
    // What they are known for isn't what they are; they can name their profession themselves.
    title: kindText(listing.kind),
    specialties: specialtiesOf(specialization),
    education: eachOnce(listing.education),
    languages: eachOnce(listing.languages),
    approach: '',
    traditions: [],
    faithPart: 'as_you_wish',
    sessionTypes: [
      'online',
      ...(phone ? ['phone' as const] : []),
      ...(inPerson ? ['in-person' as const] : []),
    ],
    phone: phone || null,
    approvesFirst: false,
  });
  if (credential) {
    const id = tx.newId();
    await tx.db
      .insertInto('provider_credentials')
      .values({
        id,
        provider_id: listing.userId,
        kind: credential.credentialKind,
        number: credential.number,
        issuer: credential.issuer,
        region: credential.region,
        expires_on: credential.expiresOn ?? null,
        replaces: null,
        state: 'approved',
        submitted_at: new Date(tx.now().epochMilliseconds),
        ...decidedNow(tx),
      })
      .execute();
    await recordDone(tx, {
      action: 'provider.credential_approved',
      category: 'provider_approval',
      subject: { kind: 'credential', id },
      details: { providerId: listing.userId },
    });
    await followCredentials(tx, listing.userId);
  }
  // Whose account is about to go, or is suspended, is listed once it is back.
  await followAccount(tx, listing.userId);
}

function decidedNow({ actor, now }: TxCtx) {
  return {
    decided_at: new Date(now().epochMilliseconds),
    decided_by: actor.kind === 'person' ? actor.id : null,
  };
}

/** Calls an account's person as their credential does. */
async function nameAs(tx: TxCtx, userId: string, name: string): Promise<void> {
  await tx.db.updateTable('profiles').set({ full_name: name }).where('id', '=', userId).execute();
  // The identity library knows the person by its own copy.
  await tx.db
    .updateTable('users')
    .set({ name, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', userId)
    .execute();
}

async function stillOffered({ db }: Ctx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('services').select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => id);
}

async function record(
  tx: TxCtx,
  what: ActionAfter<'provider.application_'>,
  id: string,
  details: AuditedAct['details'] = {},
): Promise<void> {
  await recordDone(tx, {
    action: `provider.application_${what}`,
    category: 'provider_approval',
    subject: { kind: 'application', id },
    details,
  });
}

/** Tells the applicant's windows, and those of whoever decides. */
async function tellScreens(tx: TxCtx, personId: string, id: string): Promise<void> {
  await publish(tx, [`person:${personId}`, ...topicsOf('manage_providers')], {
    type: 'providers.applications_changed',
    id,
  });
}
