import { isoOf } from '#/kernel/iso.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { sealedDocumentName } from '../documents/queries.ts';

export const applicationsPersonal: PersonalPart = {
  name: 'applications',
  async collect({ db, keyring }, personId) {
    const [provider_applications, documents] = await Promise.all([
      db
        .selectFrom('provider_applications')
        .select(['id', 'person_id', 'kind', 'full_name', 'phone', 'specialization', 'experience'])
        .select(['education', 'location', 'time_zone', 'bio', 'languages', 'service_ids'])
        .select(['credential_kind', 'credential_number', 'credential_issuer', 'credential_region'])
        .select(['credential_expires_on', 'status', 'reason', 'submitted_at', 'decided_at'])
        .where('person_id', '=', personId)
        .orderBy('submitted_at')
        .orderBy('id')
        .execute(),
      db
        .selectFrom('application_documents')
        .innerJoin('files', 'files.id', 'application_documents.id')
        .selectAll('application_documents')
        .select(['content_type', 'size'])
        .where('person_id', '=', personId)
        .orderBy('uploaded_at')
        .orderBy('application_documents.id')
        .execute(),
    ]);
    const named = documents.map(({ name, uploaded_at, ...row }) => ({
      ...row,
      name: sealedDocumentName.open(keyring, row.id, name),
      uploaded_at: isoOf(uploaded_at),
    }));
    return {
      tables: { provider_applications, application_documents: named },
      files: named.map(({ id, name }) => ({ id, name })),
    };
  },
  async erase(tx, personId) {
    await tx.db
      .updateTable('provider_applications')
      .set({ decided_by: null })
      .where('decided_by', '=', personId)
      .execute();
    const { numDeletedRows } = await tx.db
      .deleteFrom('application_documents')
      .where('person_id', '=', personId)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await tx.emit(tx, 'files.removed', { reason: 'removed' });
    await tx.db.deleteFrom('provider_applications').where('person_id', '=', personId).execute();
  },
};
