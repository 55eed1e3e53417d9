import type { Ctx } from '#/platform/context.ts';
import { publishOwn, saveDraft, submitResource } from '#/features/resources/authoring/commands.ts';
import type { DraftInput } from '#/features/resources/library/contract.ts';
import { approveResource } from '#/features/resources/moderation/commands.ts';
import type { TestDatabase } from './database.ts';
import { addClient, addClients, addProvider } from './people.ts';

/** Resource text of the minimum length. */
export const words = 'Grief comes in waves, and nobody has to stand in them alone. '.repeat(6).trim();

export const draft = (change: Partial<DraftInput> = {}): DraftInput => ({
  title: 'A Quiet Hour',
  author: 'Dr. Ruth Amsel',
  type: 'devotional',
  category: 'grief-support',
  description: 'For an evening that is too long.',
  form: 'article',
  body: words,
  ...change,
});

export const streamOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]).stream();

export async function libraryOf({ db, as }: Pick<TestDatabase, 'db' | 'as'>) {
  const [chief, authorPerson, colleague] = [
    await addClient(db),
    await addProvider(db),
    await addProvider(db),
  ];
  const [reader, otherReader] = await addClients(db, 2);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  const admin = as({ ...chief, role: 'super_admin' });
  return {
    guest: as({ kind: 'guest' }),
    admin,
    authorPerson,
    author: as(authorPerson),
    otherAuthor: as(colleague),
    client: as(reader!),
    otherClient: as(otherReader!),
    /** Publishes a new resource and returns its id; the administrator approves other authors' resources. */
    published: async (change: Partial<DraftInput> = {}, by: Ctx = admin): Promise<string> => {
      const { id } = await saveDraft(by, draft(change));
      if (by === admin) await publishOwn(admin, id);
      else await approveResource(admin, id, (await submitResource(by, id)).version);
      return id;
    },
    countersOf: (id: string) =>
      db
        .selectFrom('resources')
        .select(['rating_sum', 'rating_count', 'download_count'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
  };
}
