import type { Ctx } from '../context.ts';
import type { Log } from '../log.ts';

/** Repeated by every process that runs jobs, sometimes concurrently. */
export interface Schedule {
  /** Unique. Names the actor of its runs; System Health has a text for it. */
  name: string;
  /** Runs even in processes of the role `web`. */
  inEveryProcess?: true;
  /** From one start to the next. While a run lasts, starts are skipped. */
  every: Temporal.DurationLike;
  /** `signal` aborts when the program stops; the program waits for the run to end. */
  run(ctx: Ctx, signal: AbortSignal): Promise<unknown>;
  /** After the last run, when the program stops. */
  end?(ctx: Ctx): Promise<unknown>;
}

/** A schedule's runs since this process started. */
export interface ScheduleState {
  name: string;
  every: Temporal.Duration;
  /** The latest run may still last. */
  startedAt: Temporal.Instant;
  /** Of the last finished run, if any. */
  endedAt: Temporal.Instant | null;
  /** Length of the last finished run. */
  milliseconds: number | null;
  /** Whether the last finished run failed. */
  failing: boolean;
  /** Of the last failed run, if any. */
  failedAt: Temporal.Instant | null;
}

export interface Scheduler {
  states(): readonly Readonly<ScheduleState>[];
  /** Starts no more; waits for current runs. */
  stop(): Promise<void>;
}

interface SchedulerParts {
  contextOf: (name: string) => Ctx;
  log: Pick<Log, 'error' | 'warn'>;
}

/** Runs each schedule now and at its interval, never twice at once. A failed run is logged; the next one is due as usual. */
export function runSchedules(schedules: readonly Schedule[], surroundings: SchedulerParts): Scheduler {
  const stopping = new AbortController();
  const repeated = schedules.map((schedule) => repeat(schedule, surroundings, stopping.signal));
  return {
    states: () => repeated.map(({ state }) => state),
    async stop() {
      stopping.abort();
      await Promise.all(repeated.map(({ stop }) => stop()));
    },
  };
}

function repeat(
  { name, every, run, end }: Schedule,
  { contextOf, log }: SchedulerParts,
  signal: AbortSignal,
) {
  const state: ScheduleState = {
    name,
    every: Temporal.Duration.from(every),
    startedAt: contextOf(name).now(),
    endedAt: null,
    milliseconds: null,
    failing: false,
    failedAt: null,
  };

  async function runOnce(): Promise<void> {
    const ctx = contextOf(name);
    state.startedAt = ctx.now();
    const began = performance.now();
    let failing = false;
    try {
      await run(ctx, signal);
    } catch (err) {
      failing = true;
      if (signal.aborted)
        log.warn({ err, schedule: name }, 'scheduled work failed while the program stopped');
      else log.error({ err, schedule: name }, 'scheduled work failed; it runs again on schedule');
    }
    state.endedAt = ctx.now();
    state.milliseconds = Math.round(performance.now() - began);
    state.failing = failing;
    if (failing) state.failedAt = state.endedAt;
  }

  let busy: Promise<void> | null = null;
  const start = () => {
    busy ??= runOnce().finally(() => (busy = null));
  };
  start();
  const timer = setInterval(start, state.every.total('milliseconds'));
  return {
    state,
    async stop() {
      clearInterval(timer);
      await busy;
      await end?.(contextOf(name)).catch((err: unknown) =>
        log.error({ err, schedule: name }, 'scheduled work could not end'),
      );
    },
  };
}
