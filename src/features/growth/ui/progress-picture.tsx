import { m } from '#/texts/messages.js';
import { BarChart, type Bar } from '#/web/components/bar-chart.tsx';
import { monthAndYear, monthLetters } from '#/web/times.ts';
import type { ProgressView } from '../progress/contract.ts';

/** Two bar charts; for screen readers, a table. */
export function ProgressPicture({ months }: { months: ProgressView['months'] }) {
  return (
    <div>
      <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        <BarChart
          title={m.growth_progress_picture_sessions()}
          bars={months.map(({ month, sessions }) => barOf(month, sessions))}
          look="fill-primary"
        />
        <BarChart
          title={m.growth_progress_picture_days()}
          bars={months.map((one) => barOf(one.month, one.activeDays))}
          look="fill-sage"
        />
      </div>
      <div className="sr-only">
        <table>
          <caption>{m.growth_progress_over_time()}</caption>
          <thead>
            <tr>
              <th scope="col">{m.growth_progress_month()}</th>
              <th scope="col">{m.growth_progress_sessions_short()}</th>
              <th scope="col">{m.growth_progress_active()}</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, sessions, activeDays }) => (
              <tr key={month}>
                <th scope="row">{monthAndYear(month)}</th>
                <td>{sessions}</td>
                <td>{activeDays}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function barOf(month: string, value: number): Bar {
  return { key: month, label: monthLetters(month), value };
}
