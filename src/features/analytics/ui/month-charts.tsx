import { m } from '#/texts/messages.js';
import { BarChart } from '#/web/components/bar-chart.tsx';
import { monthAndYear, monthLetters } from '#/web/times.ts';
import type { ReportView } from '../report/contract.ts';
import { fullBar, inYears } from '../report/rules.ts';
import { wholeText } from './figure-texts.ts';

type Month = ReportView['months'][number];

const charts = [
  { key: 'sessions', name: m.analytics_monthly_sessions, look: 'fill-primary' },
  { key: 'users', name: m.analytics_monthly_users, look: 'fill-sage' },
] as const;

export function MonthCharts({ months }: { months: readonly Month[] }) {
  const years = inYears(months);
  return (
    <>
      <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        {years.flatMap((part) =>
          charts.map(({ key, name, look }) => (
            <BarChart
              key={`${key} ${part[0]!.month}`}
              title={years.length === 1 ? name() : titleOf(name(), part)}
              bars={part.map((one) => ({
                key: one.month,
                label: monthLetters(one.month),
                value: one[key],
                text: shortText(one[key]),
              }))}
              look={look}
              max={fullBar(months, key)}
            />
          )),
        )}
      </div>
      <details className="mt-8" open={false}>
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-primary hover:underline">
          {m.analytics_as_table()}
        </summary>
        <table className="mt-3 w-full max-w-130 text-left tabular-nums">
          <caption className="sr-only">{m.analytics_monthly_caption()}</caption>
          <thead>
            <tr className="border-b border-line text-sm text-quiet">
              <th scope="col" className="py-2 pr-4 font-semibold">
                {m.analytics_month()}
              </th>
              {charts.map(({ key, name }) => (
                <th key={key} scope="col" className="py-2 pl-4 text-right font-semibold">
                  {name()}
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
                {charts.map(({ key }) => (
                  <td key={key} className="py-2 pl-4 text-right">
                    {wholeText(one[key])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

function titleOf(title: string, part: readonly Month[]): string {
  return m.analytics_monthly_of({
    title,
    from: monthAndYear(part[0]!.month),
    to: monthAndYear(part.at(-1)!.month),
  });
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Five digits don't fit a bar. */
function shortText(value: number): string {
  return value < 10_000 ? String(value) : compact.format(value);
}
