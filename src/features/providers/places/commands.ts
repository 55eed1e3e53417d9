import { AppError, invalidField } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changedParts } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { lockPractice, requirePractice, type Practice } from '../practice/policies.ts';
import type { NewPlace, OwnPlace, PlaceInput } from './contract.ts';
import { requireOwnPlace } from './policies.ts';
import { ownPlaces } from './queries.ts';
import { placeLimits } from '../practice/rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'providers.places_changed': { providerId: string };
  }
}

/** Adds a place at the end of the provider's list; repeating its id changes it. Throws conflict `places_full`. */
export async function addPlace(ctx: Ctx, { placeId, ...input }: NewPlace): Promise<OwnPlace> {
  return onOwn(ctx, async (tx, practice, places) => {
    const id = placeId ?? tx.newId();
    if (places.length >= placeLimits.places && !places.some((place) => place.id === id))
      throw new AppError('conflict', 'places_full');
    const added = await tx.db
      .insertInto('places')
      .values(({ selectFrom, fn, lit, val }) => ({
        id,
        provider_id: practice,
        ...placeColumns(input),
        position: selectFrom('places')
          .select(({ eb }) => eb(fn.coalesce(fn.max('position'), lit(0)), '+', lit(1)).as('next'))
          .where('provider_id', '=', val(practice)),
        created_at: new Date(tx.now().epochMilliseconds),
      }))
      .onConflict((found) => found.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    return added ? { id, what: 'added' } : change(tx, places, id, input);
  });
}

/** Booked sessions show the new details. */
export async function editPlace(ctx: Ctx, placeId: string, input: PlaceInput): Promise<OwnPlace> {
  return onOwn(ctx, (tx, _practice, places) => change(tx, places, placeId, input));
}

async function change(
  tx: TxCtx,
  places: readonly OwnPlace[],
  placeId: string,
  input: PlaceInput,
): Promise<Done> {
  const before = requireOwnPlace(places, placeId);
  await tx.db.updateTable('places').set(placeColumns(input)).where('id', '=', placeId).execute();
  const changed = changedParts(before, { coordinates: null, ...input });
  return { id: placeId, what: 'changed', details: { changed } };
}

/** Closes or reopens the provider's place for new bookings. Booked sessions stay. */
export async function closePlace(ctx: Ctx, placeId: string, closed: boolean): Promise<OwnPlace> {
  return onOwn(ctx, async (tx, _practice, places) => {
    requireOwnPlace(places, placeId);
    await tx.db.updateTable('places').set({ closed }).where('id', '=', placeId).execute();
    return { id: placeId, what: closed ? 'closed' : 'reopened' };
  });
}

/** Reorders the provider's open places. Throws invalid `not_all` unless each is listed once. */
export async function orderPlaces(ctx: Ctx, placeIds: readonly string[]): Promise<OwnPlace[]> {
  authorize(ctx.actor, ['manage_own_availability']);
  const practice = await requirePractice(ctx);
  return transact(ctx, async (tx) => {
    await lockPractice(tx, practice);
    const open = (await ownPlaces(tx, practice)).filter(({ closed }) => !closed);
    const wanted = new Set(placeIds);
    if (
      wanted.size !== placeIds.length ||
      wanted.size !== open.length ||
      open.some(({ id }) => !wanted.has(id))
    )
      throw invalidField('placeIds', 'not_all');
    for (const [index, id] of placeIds.entries())
      await tx.db
        .updateTable('places')
        .set({ position: index + 1 })
        .where('id', '=', id)
        .execute();
    await notifyScreens(tx, practice, { id: practice, what: 'ordered' });
    return ownPlaces(tx, practice);
  });
}

interface Done {
  id: string;
  what: ActionAfter<'provider.place_'>;
  details?: Record<string, string>;
}

/** Runs a change to the actor's places under a lock. */
async function onOwn(
  ctx: Ctx,
  act: (tx: TxCtx, practice: Practice, places: readonly OwnPlace[]) => Promise<Done>,
): Promise<OwnPlace> {
  authorize(ctx.actor, ['manage_own_availability']);
  const practice = await requirePractice(ctx);
  return transact(ctx, async (tx) => {
    await lockPractice(tx, practice);
    const done = await act(tx, practice, await ownPlaces(tx, practice));
    await notifyScreens(tx, practice, done);
    return (await ownPlaces(tx, practice)).find((place) => place.id === done.id)!;
  });
}

function placeColumns({ coordinates, ...words }: PlaceInput) {
  return {
    ...words,
    latitude: coordinates?.latitude ?? null,
    longitude: coordinates?.longitude ?? null,
  };
}

async function notifyScreens(tx: TxCtx, practice: Practice, { id, what, details = {} }: Done): Promise<void> {
  await recordDone(tx, {
    action: `provider.place_${what}`,
    subject: { kind: what === 'ordered' ? 'provider' : 'place', id },
    details,
  });
  await tx.emit(tx, 'providers.places_changed', { providerId: practice });
  await publish(tx, [`person:${practice}`], { type: 'providers.places_changed', id });
  await clearPageCache(tx);
}
