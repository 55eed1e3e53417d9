import { bind } from '#/platform/http/procedures.ts';
import { editDevotional } from './commands.ts';
import { devotionalsContract } from './contract.ts';
import { devotionalEntry, devotionalOf, todaysDevotional, yearOf } from './queries.ts';

const os = bind(devotionalsContract);

export const devotionalsProcedures = os.router({
  today: os.today.handler(({ context, input }) => todaysDevotional(context, input.timeZone)),
  byDay: os.byDay.handler(({ context, input }) => devotionalOf(context, input.day)),
  year: os.year.handler(({ context, input }) => yearOf(context, input)),
  entry: os.entry.handler(({ context, input }) => devotionalEntry(context, input.day)),
  edit: os.edit.handler(({ context, input }) => editDevotional(context, input)),
});
