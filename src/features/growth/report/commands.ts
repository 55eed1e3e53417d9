import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { hit } from '#/platform/http/limits.ts';
import { openPaper, type Paper } from '#/platform/pdf/paper.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';
import type { GoalView } from '../goals/contract.ts';
import { dayIn } from '../progress/rules.ts';
import { growing } from '../queries.ts';
import { reportOf, type ProgressReport } from './queries.ts';
import { barHeights, paperIn } from './rules.ts';

/** The look's colours (theme.css) in light, as ink. */
const ink = '#1b2333';
const quiet = '#565e6d';
const line = '#dcd7cd';
const primary = '#0f5674';
const sage = '#47754f';

const margin = 48;
const footer = 24;
/** Reports that one person may have made in a minute: each takes some work. */
const perMinute = 6;

/** Makes the progress report of who asks, as a PDF. */
export async function makeReport(ctx: Ctx): Promise<Uint8Array<ArrayBuffer>> {
  const self = await growing(ctx);
  if (!(await hit(ctx.db, `report:${self}`, perMinute, 60, ctx.now()))) {
    throw new AppError('rate_limited', 'too_many_reports');
  }
  const report = await reportOf(ctx, self);
  const { timeZone } = report.progress;
  const paper = openPaper({
    size: paperIn(timeZone),
    title: `${m.growth_report_title()}: ${report.name}`,
    language: baseLocale,
    margin,
    madeAt: ctx.now(),
  });
  const pages = new Pages(paper, timeZone);
  drawHead(pages, report, ctx.now());
  drawFigures(pages, report);
  drawPicture(pages, report);
  drawGoals(pages, report.goals);
  drawSessions(pages, report);
  drawFeet(pages);
  return paper.end();
}

/** Where the next thing stands on the paper, and what dates are called. */
class Pages {
  readonly paper: Paper;
  readonly width: number;
  y = margin;
  readonly #timeZone: string;
  readonly #dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

  constructor(paper: Paper, timeZone: string) {
    this.paper = paper;
    this.#timeZone = timeZone;
    this.width = paper.doc.page.width - 2 * margin;
  }

  /** Turns to a new page where there isn't so much room left on this one. */
  room(height: number): void {
    if (this.y + height <= this.paper.doc.page.height - margin - footer) return;
    this.paper.doc.addPage();
    this.y = margin;
  }

  /** A section's heading, which doesn't stand alone at the end of a page. */
  heading(text: string): void {
    this.room(90);
    this.y += 20;
    this.y = this.paper.set(text, { face: 'heading', size: 14, color: ink, x: margin, y: this.y }) + 6;
  }

  /** A day, `YYYY-MM-DD`, in words. */
  day(date: string): string {
    return this.#dates.format(Date.parse(`${date}T00:00Z`));
  }

  /** The day of an instant (epoch milliseconds), in words. */
  dayOf(instant: number): string {
    return this.day(dayIn(this.#timeZone, instant));
  }
}

function drawHead(pages: Pages, { siteName, name }: ProgressReport, now: Temporal.Instant): void {
  const { paper, width } = pages;
  const { doc } = paper;
  const mark = 26;
  doc
    .save()
    .translate(margin, margin)
    .scale(mark / 64);
  doc.roundedRect(0, 0, 64, 64, 15).fill(primary);
  doc.path('M18 52V29a14 14 0 0 1 28 0v23z').fill('#fdfaf3');
  doc.path('M22 52a10 10 0 0 1 20 0z').fill('#e3ae4b');
  doc.restore();
  paper.set(siteName, { face: 'heading', size: 13, color: ink, x: margin + mark + 9, y: margin + 5 });
  paper.set(pages.dayOf(now.epochMilliseconds), {
    size: 10,
    color: quiet,
    x: margin + width,
    y: margin + 8,
    align: 'right',
  });
  rule(pages, margin + mark + 14);
  paper.set(m.growth_report_title(), { face: 'heading', size: 24, color: ink, x: margin, y: margin + 50 });
  pages.y = paper.set(name, { size: 12, color: quiet, x: margin, y: margin + 83, width });
}

function drawFigures(pages: Pages, { progress }: ProgressReport): void {
  const { paper, width } = pages;
  const figures = [
    [m.growth_progress_sessions(), progress.sessionsCompleted],
    [m.growth_progress_days(), progress.daysActive],
    [m.growth_progress_resources(), progress.resourcesUsed],
    [m.growth_progress_goals(), progress.goalsAchieved],
  ] as const;
  const gap = 10;
  const box = (width - gap * (figures.length - 1)) / figures.length;
  const top = pages.y + 18;
  for (const [index, [label, value]] of figures.entries()) {
    const x = margin + index * (box + gap);
    paper.doc.roundedRect(x, top, box, 58, 7).lineWidth(0.75).stroke(line);
    paper.set(label, { size: 9, color: quiet, x: x + 11, y: top + 9 });
    paper.set(String(value), { face: 'heading', size: 20, color: ink, x: x + 11, y: top + 23 });
  }
  pages.y = top + 58;
}

function drawPicture(pages: Pages, { progress: { months } }: ProgressReport): void {
  pages.heading(m.growth_progress_over_time());
  const gap = 24;
  const width = (pages.width - gap) / 2;
  const top = pages.y;
  const sides = [
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
  ];
  for (const [index, side] of sides.entries()) {
    drawBars(pages.paper, {
      ...side,
      months: months.map(({ month }) => month),
      x: margin + index * (width + gap),
      y: top,
      width,
    });
  }
  pages.y = top + 110;
}

const letters = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

function drawBars(
  { doc, set }: Paper,
  {
    title,
    values,
    months,
    color,
    x,
    y,
    width,
  }: {
    title: string;
    values: readonly number[];
    months: readonly string[];
    color: string;
    x: number;
    y: number;
    width: number;
  },
): void {
  const floor = y + 94;
  const step = width / values.length;
  const bar = step * 0.6;
  set(title, { face: 'strong', size: 10, color: ink, x, y });
  for (const [index, height] of barHeights(values, 60).entries()) {
    const middle = x + step * (index + 0.5);
    if (height > 0) {
      doc.rect(middle - bar / 2, floor - height, bar, height).fill(color);
      set(String(values[index]), {
        face: 'strong',
        size: 8,
        color: ink,
        x: middle,
        y: floor - height - 11,
        align: 'center',
      });
    }
    const month = letters.format(Date.parse(`${months[index]!}-01T00:00Z`));
    set(month, { size: 7.5, color: quiet, x: middle, y: floor + 4, align: 'center' });
  }
  doc
    .moveTo(x, floor)
    .lineTo(x + width, floor)
    .lineWidth(0.75)
    .stroke(quiet);
}

function drawGoals(pages: Pages, goals: readonly GoalView[]): void {
  pages.heading(m.growth_report_goals());
  if (goals.length === 0) drawLine(pages, m.growth_report_no_goals(), '');
  for (const goal of goals) {
    const done = goal.steps.filter(({ doneAt }) => doneAt !== null).length;
    drawLine(
      pages,
      goal.title,
      statusOf(pages, goal),
      goal.steps.length > 0 ? m.growth_goal_steps_done({ done, count: goal.steps.length }) : undefined,
    );
  }
}

function statusOf(pages: Pages, { achievedAt, dueOn }: GoalView): string {
  if (achievedAt !== null) {
    return m.growth_report_goal_reached({ date: pages.dayOf(Date.parse(achievedAt)) });
  }
  return dueOn === null
    ? m.growth_report_goal_open()
    : m.growth_report_goal_open_by({ date: pages.day(dueOn) });
}

function drawSessions(pages: Pages, { sessions }: ProgressReport): void {
  pages.heading(m.growth_report_sessions());
  if (sessions.length === 0) drawLine(pages, m.growth_report_no_sessions(), '');
  for (const { startsAt, minutes, name } of sessions) {
    drawLine(pages, m.growth_report_session({ minutes, name }), pages.dayOf(startsAt.getTime()));
  }
}

/** One line of a list: what, when at its right end, and what more there is below. */
function drawLine(pages: Pages, text: string, end: string, below?: string): void {
  const { paper, width } = pages;
  const endWidth = end === '' ? 0 : paper.widthOf(end, { size: 10 }) + 16;
  // Words break earlier than letters would: one more line than their length needs.
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
  rule(pages, pages.y);
}

function rule({ paper: { doc }, width }: Pages, y: number): void {
  doc
    .moveTo(margin, y)
    .lineTo(margin + width, y)
    .lineWidth(0.5)
    .stroke(line);
}

/** The foot of every page, once it is known how many there are. */
function drawFeet({ paper, width }: Pages): void {
  const { doc } = paper;
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    // It stands below the text's own room, where the library would turn the page.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - margin - 4;
    paper.set(m.growth_report_private(), { size: 9, color: quiet, x: margin, y });
    paper.set(m.growth_report_page({ page: page + 1, count }), {
      size: 9,
      color: quiet,
      x: margin + width,
      y,
      align: 'right',
    });
  }
}
