import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { deleteEmbedded } from '#/platform/db/embedded/delete.ts';
import { StartError } from '#/platform/start-error.ts';
import { runCommand } from './command.ts';

const dataDir = resolve(process.env.DATA_DIR ?? './.data');

await runCommand(async () => {
  if (!(await isWanted())) throw new StartError('Nothing was deleted.');
  const rest = await deleteEmbedded(dataDir);
  console.log(
    rest.length === 0
      ? `Deleted ${dataDir}. The next start creates a new one.`
      : `Deleted the database in ${dataDir}. These files may not be iTalk’s, so they stay: ${rest.join(', ')}.`,
  );
  if (process.env.DATABASE_URL) console.log('The server in DATABASE_URL wasn’t changed.');
});

async function isWanted(): Promise<boolean> {
  if (process.argv.includes('--yes')) return true;
  if (!process.stdin.isTTY) {
    throw new StartError(`This deletes everything in ${dataDir}. Run \`npm run reset -- --yes\` to confirm.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    `Delete everything in ${dataDir}, the database included? Type "yes": `,
  );
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}
