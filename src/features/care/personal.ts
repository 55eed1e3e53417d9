import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';

/**
 * What a client shares is theirs. Notes are in no archive, neither their author's nor the client's: those for the record
 * are the record's, private ones their author's alone. All of it goes with either of the two accounts.
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
        // Whether there are any isn't told.
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
