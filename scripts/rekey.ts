/** Re-encrypts private texts sealed by older keys with the first of ENCRYPTION_KEYS or PRIVATE_NOTES_KEYS. */
import { rekey, sealedColumns } from '#/app/rekey.ts';
import { readConfig } from '#/platform/config.ts';
import { openKeyring } from '#/platform/keyring.ts';
import { runCommand } from './command.ts';
import { requireMigrated, withConnections, withWorkingDatabase } from './working-database.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  await withWorkingDatabase(config, (url) =>
    withConnections(url, 2, async (db) => {
      await requireMigrated(db);
      const keys = {
        keyring: openKeyring(config.encryptionKeys),
        privateNotes: openKeyring(config.privateNotesKeys),
      };
      const sealed = await rekey({ db, ...keys }, sealedColumns);
      console.log(
        sealed === 0
          ? 'Every private text is encrypted with the first key.'
          : `Encrypted ${sealed} texts with the first key.`,
      );
    }),
  );
});
