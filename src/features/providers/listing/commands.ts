import { invalidField } from '#/kernel/errors.ts';
import { eachOnce } from '#/kernel/text.ts';
import { notifyAdministrators } from '#/features/accounts/users/commands.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { CredentialKind } from '../credentials/contract.ts';
import { followCredentials } from '../expiry/commands.ts';
import { createProvider, followAccount, type NewProvider } from '../practice/commands.ts';
import { kindText } from '../practice/rules.ts';
import { specialtiesOf } from './rules.ts';

/** Throws invalid `unknown_service` (field `serviceIds`). */
export async function requireServices({ db }: Ctx, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const known = await db
    .selectFrom('services')
    .select('id')
    .where('id', 'in', wanted)
    .where('active', '=', true)
    .execute();
  if (known.length < wanted.length) throw invalidField('serviceIds', 'unknown_service');
}

interface NewListing {
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

/** Lists an account as a provider, optionally with an approved credential. */
export async function listProvider(
  tx: TxCtx,
  { specialization, credential, phone, inPerson = false, ...listing }: NewListing,
): Promise<void> {
  await createProvider(tx, {
    ...listing,
    // A specialization isn't a professional title; providers can set their own later.
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
        ...decisionColumns(tx),
      })
      .execute();
    await recordDone(tx, {
      action: 'provider.credential_approved',
      subject: { kind: 'credential', id },
      details: { providerId: listing.userId },
    });
    await followCredentials(tx, listing.userId);
  }
  // Unlists suspended accounts and those pending deletion.
  await followAccount(tx, listing.userId);
  await notifyAdministrators(tx, listing.userId);
}

/** Columns of a decision by the actor. */
export function decisionColumns({ actor, now }: TxCtx) {
  return {
    decided_at: new Date(now().epochMilliseconds),
    decided_by: actor.kind === 'person' ? actor.id : null,
  };
}

/** Renames an account to match the credential. */
export async function nameAs(tx: TxCtx, userId: string, name: string): Promise<void> {
  await tx.db.updateTable('profiles').set({ full_name: name }).where('id', '=', userId).execute();
  // The auth library keeps its own copy.
  await tx.db
    .updateTable('users')
    .set({ name, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', userId)
    .execute();
}
