import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';

/** What the log says of a person: the entries stay, under a number and without their network address. */
export const auditPersonal: PersonalPart = {
  name: 'audit',
  async collect({ db }, personId) {
    const rows = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where(({ or, and, eb }) =>
        or([
          eb('actor_id', '=', personId),
          and([eb('subject_kind', '=', 'person'), eb('subject_id', '=', personId)]),
        ]),
      )
      .orderBy('at')
      .orderBy('id')
      .execute();
    // Where somebody else did it, where they were is theirs.
    const ofOthers = (row: (typeof rows)[number]) => row.actor_kind === 'person' && row.actor_id !== personId;
    return {
      tables: {
        audit_entries: rows.map((row) => (ofOthers(row) ? { ...row, actor_id: null, address: null } : row)),
      },
      leftOut: [m.accounts_left_out_audit({}, { locale: baseLocale })],
    };
  },
  async erase({ db }, personId) {
    await db
      .updateTable('audit_entries')
      .set({ address: null })
      .where('actor_id', '=', personId)
      .where('address', 'is not', null)
      .execute();
    // Such as wrong passwords, before anyone was signed in.
    await db
      .updateTable('audit_entries')
      .set({ address: null })
      .where('subject_id', '=', personId)
      .where('actor_kind', '=', 'guest')
      .where('address', 'is not', null)
      .execute();
  },
};
