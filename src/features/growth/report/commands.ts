import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { dayText, ink, margin, Pages, primary, quiet, sage } from '#/platform/pdf/pages.ts';
import { openPaper, paperIn } from '#/platform/pdf/paper.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';
import type { GoalView } from '../goals/contract.ts';
import { dayIn } from '../progress/rules.ts';
import { requireGrowth } from '../progress/policies.ts';
import { reportOf, type ProgressReport } from './queries.ts';

/** Rate limit: PDF generation is expensive. */
const perMinute = 6;

export async function makeReport(ctx: Ctx): Promise<Uint8Array<ArrayBuffer>> {
  const self = await requireGrowth(ctx);
  if (!(await countAttempt(ctx.db, `report:${self}`, perMinute, 60, ctx.now()))) {
    throw new AppError('rate_limited', 'too_many_reports');
  }
  const report = await reportOf(ctx, self);
  const { timeZone } = report.progress;
  const paper = await openPaper({
    size: paperIn(timeZone),
    title: m.growth_report_title(),
    language: baseLocale,
    margin,
    madeAt: ctx.now(),
  });
  const dayOf = (instant: number) => dayIn(timeZone, instant);
  const pages = new Pages(paper);
  pages.head({
    siteName: report.siteName,
    date: dayOf(ctx.now().epochMilliseconds),
    title: m.growth_report_title(),
    subtitle: report.name,
  });
  drawFigures(pages, report);
  drawPicture(pages, report);
  drawGoals(pages, report.goals, dayOf);
  drawSessions(pages, report, dayOf);
  pages.feet(m.growth_report_private());
  return paper.end();
}

/** `YYYY-MM-DD`; takes epoch milliseconds. */
type DayOf = (instant: number) => string;

function drawFigures(pages: Pages, { progress }: ProgressReport): void {
  pages.figures([
    [m.growth_progress_sessions(), String(progress.sessionsCompleted)],
    [m.growth_progress_days(), String(progress.daysActive)],
    [m.growth_progress_resources(), String(progress.resourcesUsed)],
    [m.growth_progress_goals(), String(progress.goalsAchieved)],
  ]);
}

function drawPicture(pages: Pages, { progress: { months } }: ProgressReport): void {
  pages.heading(m.growth_progress_over_time());
  pages.bars(
    months.map(({ month }) => month),
    [
      {
        title: m.growth_progress_picture_sessions(),
        values: months.map(({ sessions }) => sessions),
        color: primary,
      },
      {
        title: m.growth_progress_picture_days(),
        values: months.map(({ activeDays }) => activeDays),
        color: sage,
      },
    ],
  );
}

function drawGoals(pages: Pages, goals: readonly GoalView[], dayOf: DayOf): void {
  pages.heading(m.growth_report_goals());
  if (goals.length === 0) drawLine(pages, m.growth_report_no_goals(), '');
  for (const goal of goals) {
    const done = goal.steps.filter(({ doneAt }) => doneAt !== null).length;
    drawLine(
      pages,
      goal.title,
      statusOf(goal, dayOf),
      goal.steps.length > 0 ? m.growth_goal_steps_done({ done, count: goal.steps.length }) : undefined,
    );
  }
}

function statusOf({ achievedAt, dueOn }: GoalView, dayOf: DayOf): string {
  if (achievedAt !== null) {
    return m.growth_goal_reached_on({ date: dayText(dayOf(Date.parse(achievedAt))) });
  }
  return dueOn === null ? m.web_in_progress() : m.growth_report_goal_open_by({ date: dayText(dueOn) });
}

function drawSessions(pages: Pages, { sessions }: ProgressReport, dayOf: DayOf): void {
  pages.heading(m.growth_report_sessions());
  if (sessions.length === 0) drawLine(pages, m.growth_report_no_sessions(), '');
  for (const { startsAt, minutes, name } of sessions) {
    drawLine(pages, m.growth_report_session({ minutes, name }), dayText(dayOf(startsAt.getTime())));
  }
}

function drawLine(pages: Pages, text: string, end: string, below?: string): void {
  const { paper, width } = pages;
  const endWidth = end === '' ? 0 : paper.widthOf(end, { size: 10 }) + 16;
  // An extra line: words wrap earlier than letters.
  const measured = paper.widthOf(text, { size: 11 }) / (width - endWidth);
  const lines = measured <= 1 ? 1 : Math.ceil(measured) + 1;
  pages.room(15 * lines + (below === undefined ? 12 : 24));
  const top = pages.y;
  const bottom = paper.set(text, { size: 11, color: ink, x: margin, y: top + 6, width: width - endWidth });
  if (end !== '') {
    paper.set(end, { size: 10, color: quiet, x: margin + width, y: top + 7, align: 'right' });
  }
  pages.y = bottom;
  if (below !== undefined) {
    pages.y = paper.set(below, { size: 9, color: quiet, x: margin, y: pages.y, width });
  }
  pages.y += 6;
  pages.rule(pages.y);
}
