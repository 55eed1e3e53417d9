import type { DatabaseClock } from '#/platform/db/clock.ts';
import { sendOutbox } from '#/platform/db/outbox.ts';
import type { ScheduleParts } from '#/platform/feature.ts';
import type { Schedule } from '#/platform/jobs/scheduler.ts';
import { features } from './features.ts';
import { tidy } from './tidy.ts';

/** All timed work of the program and features. */
export function schedulesOf({
  clock,
  ...parts
}: ScheduleParts & { clock: Pick<DatabaseClock, 'adjust'> }): readonly Schedule[] {
  return [
    { name: 'clock', inEveryProcess: true, every: { seconds: 5 }, run: () => clock.adjust() },
    { name: 'outbox', inEveryProcess: true, every: { seconds: 5 }, run: ({ db }) => sendOutbox(db) },
    { name: 'tidy', every: { hours: 1 }, run: tidy },
    ...features.flatMap(({ schedules }) => schedules(parts)),
  ];
}
