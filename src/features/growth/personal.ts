import type { Ctx, TxCtx } from '#/platform/context.ts';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { sealedGoals } from './goals/queries.ts';
import { m } from '#/texts/messages.js';
import { authoredEntries } from './journal/queries.ts';
import { sealedPrayers } from './prayers/queries.ts';

/** Exports decrypted goals and prayers, and the journal without the text that only its author opens. */
export const growthPersonal: PersonalPart = {
  name: 'growth',
  async collect(ctx, personId) {
    const journal_entries = await journal(ctx, personId);
    const closed = journal_entries.some((row) => row.by_author);
    return {
      tables: {
        goals: await goals(ctx, personId),
        goal_steps: await goalSteps(ctx, personId),
        journal_entries,
        prayer_requests: await requests(ctx, personId),
        prayer_answers: await answers(ctx, personId),
      },
      leftOut: closed ? [m.growth_left_out_journal()] : [],
    };
  },
  erase,
};

async function goals({ db, keyring }: Ctx, personId: string) {
  const rows = await rowsOf(db, 'goals', 'person_id', personId, 'created_at');
  return rows.map((row) => ({
    ...row,
    title: sealedGoals.title.open(keyring, row.id, row.title),
    why: sealedGoals.why.openIfAny(keyring, row.id, row.why),
  }));
}

async function goalSteps({ db, keyring }: Ctx, personId: string) {
  const rows = await rowsOf(db, 'goal_steps', 'person_id', personId, 'goal_id', 'position');
  return rows.map((row) => ({ ...row, text: sealedGoals.stepText.open(keyring, row.id, row.text) }));
}

async function journal(ctx: Ctx, personId: string) {
  const rows = await ctx.db
    .selectFrom('journal_entries')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('entry_date')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const { title, text, ...rest } = row;
    if (row.by_author) return rest;
    const own = { id: row.id, author: personId };
    return {
      ...rest,
      title: title === null ? null : authoredEntries.open(ctx, null, own, 'title', title),
      text: authoredEntries.open(ctx, null, own, 'text', text),
    };
  });
}

async function requests({ db, keyring }: Ctx, personId: string) {
  const rows = await rowsOf(db, 'prayer_requests', 'client_id', personId, 'created_at');
  return rows.map((row) => ({ ...row, text: sealedPrayers.text.open(keyring, row.id, row.text) }));
}

/** Answers received and answers given. */
async function answers({ db, keyring }: Ctx, personId: string) {
  const rows = await db
    .selectFrom('prayer_answers')
    .innerJoin('prayer_requests', 'prayer_requests.id', 'request_id')
    .selectAll('prayer_answers')
    .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('person_id', '=', personId)]))
    .orderBy('prayed_at')
    .execute();
  return rows.map((row) => ({
    ...row,
    note: sealedPrayers.note.openIfAny(keyring, row.id, row.note),
  }));
}

async function erase({ db }: TxCtx, personId: string): Promise<void> {
  await db.deleteFrom('goal_steps').where('person_id', '=', personId).execute();
  await db.deleteFrom('goals').where('person_id', '=', personId).execute();
  await db.deleteFrom('journal_entries').where('person_id', '=', personId).execute();
  await db.deleteFrom('prayer_answers').where('person_id', '=', personId).execute();
  await db.deleteFrom('prayer_requests').where('client_id', '=', personId).execute();
  // Requests sent to this provider belong to clients: close them, don't delete.
  await db
    .updateTable('prayer_requests')
    .set({ provider_id: null, state: 'closed' })
    .where('provider_id', '=', personId)
    .execute();
}

/** The days edited, without the site's text. */
export const devotionalsPersonal: PersonalPart = {
  name: 'devotionals',
  async collect(ctx, personId) {
    const rows = await ctx.db
      .selectFrom('devotionals')
      .select(['day', 'title', 'edited_at', 'edited_by'])
      .where('edited_by', '=', personId)
      .orderBy('day')
      .execute();
    return { tables: { devotionals: rows } };
  },
  async erase(tx, personId) {
    await tx.db
      .updateTable('devotionals')
      .set({ edited_by: null })
      .where('edited_by', '=', personId)
      .execute();
  },
};
