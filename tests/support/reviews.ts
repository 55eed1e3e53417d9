import { sql } from 'kysely';
import { expect } from 'vitest';
import { writeReview } from '#/features/reviews/commands.ts';
import type { WriteInput } from '#/features/reviews/contract.ts';
import type { TestDatabase } from './database.ts';
import { addClients, addProvider, type Person } from './people.ts';
import { addSession } from './sessions.ts';

export const words = (appointmentId: string, changes: Partial<WriteInput> = {}): WriteInput => ({
  appointmentId,
  rating: 5,
  text: 'I was heard.',
  named: 'initial',
  ...changes,
});

export async function reviewersOf({ db, as }: Pick<TestDatabase, 'db' | 'as'>) {
  const [client, otherClient, administrator] = (await addClients(db, 3)) as [Person, Person, Person];
  const [doctor, otherDoctor] = [await addProvider(db), await addProvider(db)];
  const chief: Person = { ...administrator, role: 'super_admin' };
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  await db.updateTable('profiles').set({ full_name: 'Hannah Brooks' }).where('id', '=', client.id).execute();
  const completed = (who = client, about = doctor) => addSession(db, { client: who, provider: about });

  async function figures() {
    const kept = await db
      .selectFrom('providers')
      .select(['id', 'rating_sum', 'rating_count'])
      .orderBy('id')
      .execute();
    const { rows } = await sql`
      select p.id, coalesce(sum(r.rating), 0)::int as rating_sum, count(r.id)::int as rating_count
        from providers p left join reviews r on r.provider_id = p.id and r.state = 'approved'
       group by p.id order by p.id`.execute(db);
    return { kept, counted: rows };
  }

  return {
    client,
    otherClient,
    doctor,
    otherDoctor,
    chief,
    completed,
    written: async (changes: Partial<WriteInput> = {}, who = client, about = doctor) => {
      const appointmentId = await completed(who, about);
      await writeReview(as(who), words(appointmentId, changes));
      const { id: reviewId, revision } = await db
        .selectFrom('reviews')
        .select(['id', 'revision'])
        .where('appointment_id', '=', appointmentId)
        .executeTakeFirstOrThrow();
      return { reviewId, revision, appointmentId };
    },
    figures,
    expectCounted: async (sum: number, count: number): Promise<void> => {
      const { kept, counted } = await figures();
      expect(kept).toEqual(counted);
      expect(kept.find(({ id }) => id === doctor.id)).toMatchObject({ rating_sum: sum, rating_count: count });
    },
    forgetReviews: async (): Promise<void> => {
      await db.deleteFrom('reviews').execute();
      await db.updateTable('providers').set({ rating_sum: 0, rating_count: 0 }).execute();
    },
  };
}
