import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { growthContract } from './contract.ts';
import { editDevotional } from './devotionals/commands.ts';
import { growthPersonal, devotionalsPersonal } from './personal.ts';
import { requireDevotional, requireDevotionalEntry } from './devotionals/policies.ts';
import { devotionalPages, yearOf, todayOf } from './devotionals/queries.ts';
import {
  achieveGoal,
  addGoal,
  changeGoal,
  purgeRemovedGoals,
  removeGoal,
  restoreGoal,
  tickStep,
} from './goals/commands.ts';
import { goalsOf, sealedGoals } from './goals/queries.ts';
import { changeEntry, removeEntry, writeEntry } from './journal/commands.ts';
import { authoredEntries, journalMonths, journalOf, journalText, sealedEntries } from './journal/queries.ts';
import { requireGrowth } from './progress/policies.ts';
import { requireJournaling } from './journal/policies.ts';
import {
  askPrayer,
  markPrayed,
  receivedPrayers,
  removePrayer,
  setPrayerState,
  undoPrayed,
} from './prayers/commands.ts';
import { counsellorsFor, prayersOf, sealedPrayers } from './prayers/queries.ts';
import { progressOf } from './progress/queries.ts';
import { makeReport } from './report/commands.ts';
import { viewSharedGoals, viewSharedProgress } from './sharing/commands.ts';

const devotionals = handle(growthContract.devotionals, {
  today: async (ctx, input) => requireDevotional(ctx, await todayOf(ctx, input.timeZone)),
  byDay: (ctx, input) => requireDevotional(ctx, input.day),
  year: yearOf,
  entry: (ctx, input) => requireDevotionalEntry(ctx, input.day),
  edit: editDevotional,
});

const goals = handle(growthContract.goals, {
  list: async (ctx, input) => goalsOf(ctx, await requireGrowth(ctx), input),
  add: addGoal,
  change: changeGoal,
  tickStep,
  achieve: (ctx, input) => achieveGoal(ctx, input.goalId, input.achieved),
  remove: (ctx, input) => removeGoal(ctx, input.goalId),
  restore: (ctx, input) => restoreGoal(ctx, input.goalId),
});

const journal = handle(growthContract.journal, {
  months: async (ctx) => journalMonths(ctx, await requireJournaling(ctx)),
  list: async (ctx, input) => journalOf(ctx, await requireJournaling(ctx), input),
  write: writeEntry,
  change: changeEntry,
  remove: (ctx, input) => removeEntry(ctx, input.entryId),
});

const prayers = handle(growthContract.prayers, {
  counsellors: async (ctx, input) => counsellorsFor(ctx, await requireGrowth(ctx), input),
  ask: askPrayer,
  mine: async (ctx, input) => prayersOf(ctx, await requireGrowth(ctx), input),
  settle: (ctx, input) => setPrayerState(ctx, input.requestId, input.state),
  remove: (ctx, input) => removePrayer(ctx, input.requestId),
  received: receivedPrayers,
  prayed: (ctx, input) => markPrayed(ctx, input.requestId, input.note),
  undoPrayed: (ctx, input) => undoPrayed(ctx, input.requestId),
});

const progress = handle(growthContract.progress, {
  mine: async (ctx) => progressOf(ctx, await requireGrowth(ctx)),
});

const sharing = handle(growthContract.sharing, {
  goals: viewSharedGoals,
  progress: (ctx, input) => viewSharedProgress(ctx, input.clientId),
});

export const growth = defineFeature({
  handlers: () => ({
    growth: handle(growthContract, { devotionals, goals, journal, prayers, progress, sharing }),
  }),
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
  tidy: [purgeRemovedGoals],
  sealed: [sealedGoals, sealedEntries, sealedPrayers].flatMap((columns) => Object.values(columns)),
  authored: [authoredEntries],
  sitemap: async (ctx) =>
    (await devotionalPages(ctx)).map(({ day, changed }) => ({ path: `/devotional/${day}`, changed })),
});
