import { invalidField } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { csv } from '#/platform/csv.ts';
import { transact } from '#/platform/db/transact.ts';
import { dayText, margin, Pages, primary, sage } from '#/platform/pdf/pages.ts';
import { openPaper, paperIn } from '#/platform/pdf/paper.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';
import { overview } from '../overview/queries.ts';
import type { OverviewView } from '../overview/contract.ts';
import { reportRange, type ReportView } from '../contract.ts';
import { reportOf } from './queries.ts';
import { fullBar, inYears } from './rules.ts';

interface Figures {
  report: ReportView;
  overview: OverviewView;
}

/** Builds a CSV report and logs the export. */
export async function reportAsCsv(ctx: Ctx, query: URLSearchParams): Promise<Uint8Array<ArrayBuffer>> {
  const { report, overview: now } = await figuresOf(ctx, query, 'csv');
  const { utilisation, ratings } = report;
  return csv([
    [m.analytics_report_figure(), m.analytics_report_value()],
    [m.analytics_range_from(), report.from],
    [m.analytics_range_to(), report.to],
    [m.users_stat_users(), now.totalUsers.now],
    [m.analytics_sessions_this_month(), now.activeSessions.now],
    [m.analytics_active_providers(), now.activeProviders.now],
    [m.analytics_report_sessions(), report.sessions],
    [`${m.analytics_utilisation()} (%)`, utilisation.percent],
    [m.analytics_report_minutes_booked(), utilisation.bookedMinutes],
    [m.analytics_report_minutes_offered(), utilisation.offeredMinutes],
    [m.analytics_rating_mean(), ratings.mean],
    [m.analytics_report_ratings(), ratings.count],
    [`${m.analytics_duration()} (min)`, report.sessionMinutes],
    [`${m.analytics_satisfaction()} (%)`, ratings.satisfied],
    [],
    [m.analytics_month(), m.analytics_monthly_sessions(), m.analytics_monthly_users()],
    ...report.months.map(({ month, sessions, users }) => [month, sessions, users]),
  ]);
}

export async function reportAsPdf(ctx: Ctx, query: URLSearchParams): Promise<Uint8Array<ArrayBuffer>> {
  const { report, overview: now } = await figuresOf(ctx, query, 'pdf');
  const { site_name: siteName } = await siteSettings(ctx);
  const { months, ratings, utilisation } = report;
  const paper = await openPaper({
    size: paperIn(report.timeZone),
    title: m.analytics_report_title(),
    language: baseLocale,
    margin,
    madeAt: ctx.now(),
  });
  const pages = new Pages(paper);
  const days = m.analytics_range_shown({ from: dayText(report.from), to: dayText(report.to) });
  pages.head({ siteName, date: report.today, title: m.analytics_report_title(), subtitle: days });
  pages.figures([
    [m.users_stat_users(), wholeNumber.format(now.totalUsers.now)],
    [m.analytics_sessions_this_month(), wholeNumber.format(now.activeSessions.now)],
    [m.analytics_utilisation(), percentText(utilisation.percent)],
  ]);
  pages.figures([
    [m.analytics_active_providers(), wholeNumber.format(now.activeProviders.now)],
    [m.analytics_rating_mean(), ratings.mean?.toFixed(1) ?? m.analytics_none()],
    [
      m.analytics_duration(),
      report.sessionMinutes === null
        ? m.analytics_none()
        : m.web_minutes_short({ minutes: report.sessionMinutes }),
    ],
    [m.analytics_satisfaction(), percentText(ratings.satisfied)],
  ]);
  pages.heading(m.analytics_monthly());
  for (const part of inYears(months)) {
    pages.room(120);
    pages.bars(
      part.map(({ month }) => month),
      [
        {
          title: m.analytics_monthly_sessions(),
          values: part.map(({ sessions }) => sessions),
          color: primary,
          max: fullBar(months, 'sessions'),
        },
        {
          title: m.analytics_monthly_users(),
          values: part.map(({ users }) => users),
          color: sage,
          max: fullBar(months, 'users'),
        },
      ],
    );
    pages.y += 14;
  }
  pages.feet(m.analytics_report_foot());
  return paper.end();
}

const wholeNumber = new Intl.NumberFormat('en-US');

function percentText(percent: number | null): string {
  return percent === null ? m.analytics_none() : m.analytics_percent({ percent });
}

async function figuresOf(ctx: Ctx, query: URLSearchParams, format: 'csv' | 'pdf'): Promise<Figures> {
  authorize(ctx.actor, ['view_analytics']);
  const range = reportRange.safeParse(Object.fromEntries(query));
  if (!range.success)
    throw invalidField(String(range.error.issues[0]?.path[0] ?? 'from'), 'range_unreadable');
  const report = await reportOf(ctx, range.data);
  const { from, to } = report;
  await transact(ctx, (tx) =>
    recordDone(tx, { action: 'analytics.exported', details: { format, from, to } }),
  );
  return { report, overview: await overview(ctx) };
}
