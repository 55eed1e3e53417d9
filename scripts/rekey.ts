/** Re-encrypts private texts sealed by older keys with the first of ENCRYPTION_KEYS or PRIVATE_NOTES_KEYS. */
import { rekey, sealedColumns } from '#/app/rekey.ts';
import { readConfig } from '#/platform/config.ts';
import { openKeyring } from '#/platform/keyring.ts';
import { connect } from '#/platform/db/database.ts';
import { migrated } from '#/platform/db/migrate.ts';
import { StartError } from '#/platform/start-error.ts';
import { openWorkingDatabase } from './working-database.ts';

try {
  const config = readConfig(process.env);
  const database = await openWorkingDatabase(config);
  const { db } = connect(database.url, 2);
  try {
    if (!(await migrated(db))) {
      throw new StartError('The database isn’t at this version. Run `npm run migrate` first.');
    }
    const sealed = await rekey(
      {
        db,
        keyring: openKeyring(config.encryptionKeys),
        privateNotes: openKeyring(config.privateNotesKeys),
      },
      sealedColumns,
    );
    console.log(
      sealed === 0
        ? 'Every private text is encrypted with the first key.'
        : `Encrypted ${sealed} texts with the first key.`,
    );
  } finally {
    await db.destroy();
    await database.close();
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
