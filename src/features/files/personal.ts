import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';

export const filesPersonal: PersonalPart = {
  name: 'files',
  async collect({ db }, personId) {
    const rows = await db
      .selectFrom('files')
      .select(['id', 'bucket', 'owner_id', 'name', 'content_type', 'size', 'created_at', 'updated_at'])
      .where('owner_id', '=', personId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    // Skip earlier exports: they duplicate everything.
    const archives = rows.some(({ bucket }) => bucket === 'exports');
    return {
      tables: { files: rows },
      files: rows.filter(({ bucket }) => bucket !== 'exports').map(({ id, name }) => ({ id, name })),
      leftOut: archives ? [m.accounts_left_out_archives()] : [],
    };
  },
  async erase(tx, personId) {
    const rows = await tx.db.selectFrom('files').select('id').where('owner_id', '=', personId).execute();
    await tx.files.remove(
      tx,
      rows.map(({ id }) => id),
    );
  },
};
