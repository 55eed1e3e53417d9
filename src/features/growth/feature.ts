import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { growthContract } from './contract.ts';
import { editDevotional } from './devotionals/commands.ts';
import { growthPersonal, devotionalsPersonal } from './personal.ts';
import { requireDevotional, requireDevotionalEntry } from './devotionals/policies.ts';
import { devotionalPages, yearOf, todayOf } from './devotionals/queries.ts';
import {
  achieveGoal,
  addGoal,
  changeGoal,
  forgetRemovedGoals,
  removeGoal,
  restoreGoal,
  tickStep,
} from './goals/commands.ts';
import { goalsOf, sealedGoals } from './goals/queries.ts';
import { changeEntry, removeEntry, writeEntry } from './journal/commands.ts';
import { authoredEntries, journalMonths, journalOf, journalText, sealedEntries } from './journal/queries.ts';
import { requireGrowing } from './progress/policies.ts';
import { requireJournaling } from './journal/policies.ts';
import {
  askPrayer,
  markPrayed,
  receivedPrayers,
  removePrayer,
  settlePrayer,
  undoPrayed,
} from './prayers/commands.ts';
import { counsellorsFor, prayersOf, sealedPrayers } from './prayers/queries.ts';
import { progressOf } from './progress/queries.ts';
import { makeReport } from './report/commands.ts';
import { lookAtGoals, lookAtProgress } from './sharing/commands.ts';

const os = bind(growthContract);

const devotionals = os.devotionals.router({
  today: os.devotionals.today.handler(async ({ context, input }) =>
    requireDevotional(context, await todayOf(context, input.timeZone)),
  ),
  byDay: os.devotionals.byDay.handler(({ context, input }) => requireDevotional(context, input.day)),
  year: os.devotionals.year.handler(({ context, input }) => yearOf(context, input)),
  entry: os.devotionals.entry.handler(({ context, input }) => requireDevotionalEntry(context, input.day)),
  edit: os.devotionals.edit.handler(({ context, input }) => editDevotional(context, input)),
});

const goals = os.goals.router({
  list: os.goals.list.handler(async ({ context, input }) =>
    goalsOf(context, await requireGrowing(context), input),
  ),
  add: os.goals.add.handler(({ context, input }) => addGoal(context, input)),
  change: os.goals.change.handler(({ context, input: { goalId, ...words } }) =>
    changeGoal(context, goalId, words),
  ),
  tickStep: os.goals.tickStep.handler(({ context, input }) => tickStep(context, input)),
  achieve: os.goals.achieve.handler(({ context, input }) =>
    achieveGoal(context, input.goalId, input.achieved),
  ),
  remove: os.goals.remove.handler(({ context, input }) => removeGoal(context, input.goalId)),
  restore: os.goals.restore.handler(({ context, input }) => restoreGoal(context, input.goalId)),
});

const journal = os.journal.router({
  months: os.journal.months.handler(async ({ context }) =>
    journalMonths(context, await requireJournaling(context)),
  ),
  list: os.journal.list.handler(async ({ context, input }) =>
    journalOf(context, await requireJournaling(context), input),
  ),
  write: os.journal.write.handler(({ context, input }) => writeEntry(context, input)),
  change: os.journal.change.handler(({ context, input: { entryId, ...words } }) =>
    changeEntry(context, entryId, words),
  ),
  remove: os.journal.remove.handler(({ context, input }) => removeEntry(context, input.entryId)),
});

const prayers = os.prayers.router({
  counsellors: os.prayers.counsellors.handler(async ({ context, input }) =>
    counsellorsFor(context, await requireGrowing(context), input),
  ),
  ask: os.prayers.ask.handler(({ context, input }) => askPrayer(context, input)),
  mine: os.prayers.mine.handler(async ({ context, input }) =>
    prayersOf(context, await requireGrowing(context), input),
  ),
  settle: os.prayers.settle.handler(({ context, input }) =>
    settlePrayer(context, input.requestId, input.state),
  ),
  remove: os.prayers.remove.handler(({ context, input }) => removePrayer(context, input.requestId)),
  received: os.prayers.received.handler(({ context, input }) => receivedPrayers(context, input)),
  prayed: os.prayers.prayed.handler(({ context, input }) => markPrayed(context, input.requestId, input.note)),
  undoPrayed: os.prayers.undoPrayed.handler(({ context, input }) => undoPrayed(context, input.requestId)),
});

const progress = os.progress.router({
  mine: os.progress.mine.handler(async ({ context }) => progressOf(context, await requireGrowing(context))),
});

const sharing = os.sharing.router({
  goals: os.sharing.goals.handler(({ context, input }) => lookAtGoals(context, input)),
  progress: os.sharing.progress.handler(({ context, input }) => lookAtProgress(context, input.clientId)),
});

export const growth = defineFeature({
  handlers: () => ({ growth: os.router({ devotionals, goals, journal, prayers, progress, sharing }) }),
  downloads: [
    {
      path: '/me/progress-report.pdf',
      make: async (ctx) => ({
        filename: 'progress-report.pdf',
        contentType: 'application/pdf',
        bytes: await makeReport(ctx),
      }),
    },
    {
      path: '/me/journal.txt',
      make: async (ctx) => ({
        filename: 'my-journal.txt',
        contentType: 'text/plain; charset=utf-8',
        bytes: new TextEncoder().encode(await journalText(ctx, await requireJournaling(ctx))),
      }),
    },
  ],
  personal: [devotionalsPersonal, growthPersonal],
  tidy: [forgetRemovedGoals],
  sealed: [sealedGoals, sealedEntries, sealedPrayers].flatMap((columns) => Object.values(columns)),
  authored: [authoredEntries],
  sitemap: async (ctx) =>
    (await devotionalPages(ctx)).map(({ day, changed }) => ({ path: `/devotional/${day}`, changed })),
});
