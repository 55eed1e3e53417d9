import { m } from '#/texts/messages.js';
import { BarChart, type Bar } from '#/web/components/bar-chart.tsx';
import { monthAndYear, monthLetters } from '#/web/times.ts';
import type { OwnAnalytics } from '../contract.ts';
import { hoursText, ratingText } from './figure-texts.ts';

type Month = OwnAnalytics['months'][number];

export function OwnCharts({ months }: { months: readonly Month[] }) {
  const bars = (of: (month: Month) => number, text?: (month: Month) => string): Bar[] =>
    months.map((one) => ({
      key: one.month,
      label: monthLetters(one.month),
      value: of(one),
      ...(text && { text: text(one) }),
    }));
  return (
    <>
      <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        <BarChart title={m.analytics_sessions()} bars={bars((one) => one.sessions)} look="fill-primary" />
        <BarChart
          title={m.analytics_hours()}
          bars={bars(
            (one) => one.hours,
            (one) => hoursText(one.hours),
          )}
          look="fill-sage"
        />
        <BarChart title={m.analytics_no_shows()} bars={bars((one) => one.noShows)} look="fill-clay" />
        <BarChart
          title={m.analytics_rating()}
          bars={bars(
            (one) => one.rating ?? 0,
            (one) => ratingText(one.rating),
          )}
          look="fill-gold"
          max={5}
        />
      </div>
      <details className="mt-8 print:hidden" open={false}>
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-primary hover:underline">
          {m.analytics_as_table()}
        </summary>
        <MonthTable months={months} />
      </details>
      <div className="hidden print:block">
        <MonthTable months={months} />
      </div>
    </>
  );
}

function MonthTable({ months }: { months: readonly Month[] }) {
  const columns = [
    m.analytics_sessions(),
    m.analytics_hours(),
    m.analytics_no_shows(),
    m.analytics_cancelled(),
    m.analytics_rating(),
    m.analytics_reviews(),
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- seven columns are wider than a phone: who has only a keyboard scrolls it, too
    <div role="region" aria-label={m.analytics_table_caption()} tabIndex={0} className="mt-3 overflow-x-auto">
      <table className="w-full min-w-160 text-left tabular-nums">
        <caption className="sr-only">{m.analytics_table_caption()}</caption>
        <thead>
          <tr className="border-b border-line text-sm text-quiet">
            <th scope="col" className="py-2 pr-4 font-semibold">
              {m.analytics_month()}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 text-right font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((one) => (
            <tr key={one.month} className="border-b border-line">
              <th scope="row" className="py-2 pr-4 font-normal whitespace-nowrap">
                {monthAndYear(one.month)}
              </th>
              {[
                one.sessions,
                hoursText(one.hours),
                one.noShows,
                one.cancelled,
                ratingText(one.rating),
                one.reviews,
              ].map((value, index) => (
                <td key={columns[index]} className="py-2 pr-4 text-right">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
