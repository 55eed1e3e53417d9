import { bind } from '#/platform/http/procedures.ts';
import { journaling } from '../queries.ts';
import { changeEntry, removeEntry, writeEntry } from './commands.ts';
import { journalContract } from './contract.ts';
import { journalMonths, journalOf } from './queries.ts';

const os = bind(journalContract);

export const journalProcedures = os.router({
  months: os.months.handler(async ({ context }) => journalMonths(context, await journaling(context))),
  list: os.list.handler(async ({ context, input }) => journalOf(context, await journaling(context), input)),
  write: os.write.handler(({ context, input }) => writeEntry(context, input)),
  change: os.change.handler(({ context, input: { entryId, ...words } }) =>
    changeEntry(context, entryId, words),
  ),
  remove: os.remove.handler(({ context, input }) => removeEntry(context, input.entryId)),
});
