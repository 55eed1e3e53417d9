import type { Ctx } from '#/platform/context.ts';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';

function ownEntries({ db }: Pick<Ctx, 'db'>, personId: string) {
  return db
    .selectFrom('audit_entries')
    .where(({ or, and, eb }) =>
      or([
        eb('actor_id', '=', personId),
        and([eb('subject_id', '=', personId), eb('actor_kind', '=', 'guest')]),
      ]),
    )
    .select('id');
}

/** Erasure keeps entries, without their IP addresses. */
export const auditPersonal: PersonalPart = {
  name: 'audit',
  async collect(ctx, personId) {
    const { db } = ctx;
    const rows = await db
      .selectFrom('audit_entries')
      .select(['id', 'at', 'actor_kind', 'actor_id', 'actor_name', 'action', 'category', 'kind'])
      .select(['subject_kind', 'subject_id', 'details', 'request_id', 'success'])
      .where(({ or, and, eb }) =>
        or([
          eb('actor_id', '=', personId),
          and([eb('subject_kind', '=', 'person'), eb('subject_id', '=', personId)]),
        ]),
      )
      .orderBy('at')
      .orderBy('id')
      .execute();
    // Other actors' identity isn't this person's data.
    const ofOthers = (row: (typeof rows)[number]) => row.actor_id !== null && row.actor_id !== personId;
    return {
      tables: {
        audit_entries: rows.map((row) => (ofOthers(row) ? { ...row, actor_id: null } : row)),
        audit_personal: await db
          .selectFrom('audit_personal')
          .select(['entry_id', 'address'])
          .where('entry_id', 'in', ownEntries(ctx, personId))
          .orderBy('entry_id')
          .execute(),
        audit_actors: await rowsOf(db, 'audit_actors', 'actor_id', personId),
      },
      leftOut: [m.accounts_left_out_audit()],
    };
  },
  async erase(tx, personId) {
    await tx.db
      .insertInto('audit_erased')
      .values({ person_id: personId })
      .onConflict((on) => on.doNothing())
      .execute();
    await tx.db.deleteFrom('audit_personal').where('entry_id', 'in', ownEntries(tx, personId)).execute();
  },
};
