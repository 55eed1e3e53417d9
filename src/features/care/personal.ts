import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';

/**
 * Exports sharing settings, never notes: session notes belong to the clinical record, private notes to their author.
 * Erasing either account deletes settings and notes.
 */
export const carePersonal: PersonalPart = {
  name: 'care',
  async collect({ db }, personId) {
    const shares = await db
      .selectFrom('shares')
      .selectAll()
      .where('client_id', '=', personId)
      .orderBy('provider_id')
      .execute();
    const has = (side: 'client_id' | 'provider_id') =>
      db.selectFrom('appointments').select('id').where(side, '=', personId).limit(1).executeTakeFirst();
    const [served, serving] = await Promise.all([has('client_id'), has('provider_id')]);
    const inThis = { locale: baseLocale } as const;
    return {
      tables: { shares },
      leftOut: [
        // Listed unconditionally, so it reveals nothing about existing notes.
        ...(served ? [m.care_left_out_record({}, inThis), m.care_left_out_private({}, inThis)] : []),
        ...(serving ? [m.care_left_out_own({}, inThis)] : []),
      ],
    };
  },
  async erase({ db }, personId) {
    for (const table of ['session_notes', 'private_notes', 'shares'] as const) {
      await db.deleteFrom(table).where('client_id', '=', personId).execute();
      await db.deleteFrom(table).where('provider_id', '=', personId).execute();
    }
  },
};
