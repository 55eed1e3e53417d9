import { isoOf } from '#/kernel/iso.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { sealedName } from './queries.ts';

/** Erasure deletes sent files, because personal data inside can't be redacted. */
export const attachmentsPersonal: PersonalPart = {
  name: 'attachments',
  async collect({ db, keyring }, personId) {
    const rows = await db
      .selectFrom('attachments')
      .innerJoin('files', 'files.id', 'attachments.id')
      .selectAll('attachments')
      .select(['content_type', 'size'])
      .where('uploaded_by', '=', personId)
      .orderBy('uploaded_at')
      .orderBy('attachments.id')
      .execute();
    const named = rows.map(({ name, uploaded_at, ...row }) => ({
      ...row,
      name: sealedName.open(keyring, row.id, name),
      uploaded_at: isoOf(uploaded_at),
    }));
    return { tables: { attachments: named }, files: named.map(({ id, name }) => ({ id, name })) };
  },
  async erase(tx, personId) {
    const { numDeletedRows } = await tx.db
      .deleteFrom('attachments')
      .where('uploaded_by', '=', personId)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await tx.emit(tx, 'files.removed', { reason: 'removed' });
  },
};
