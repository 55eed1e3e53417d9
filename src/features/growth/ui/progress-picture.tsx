import { m } from '#/texts/messages.js';
import type { ProgressView } from '../progress/contract.ts';
import { monthLetters, monthText } from './dates.ts';

/** Units of the picture's own grid: 360 wide, as wide as it stands on a phone, so that its letters are as large there. */
const width = 360;
const floor = 128;
const ceiling = 24;
const bar = 18;

/** Progress over time: two rows of bars with their figures on them, and a table for who doesn't see them. */
export function ProgressPicture({ months }: { months: ProgressView['months'] }) {
  return (
    <div>
      <div aria-hidden className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        <Bars
          title={m.growth_progress_picture_sessions()}
          months={months.map(({ month, sessions }) => ({ month, value: sessions }))}
          look="fill-primary"
        />
        <Bars
          title={m.growth_progress_picture_days()}
          months={months.map(({ month, activeDays }) => ({ month, value: activeDays }))}
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
                <th scope="row">{monthText(month)}</th>
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

function Bars({
  title,
  months,
  look,
}: {
  title: string;
  months: readonly { month: string; value: number }[];
  look: string;
}) {
  const most = Math.max(1, ...months.map(({ value }) => value));
  const step = width / months.length;
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 font-semibold">{title}</figcaption>
      <svg viewBox={`0 0 ${width} 150`} focusable="false" className="block h-auto w-full max-w-130">
        <path d={`M0 ${floor + 0.5}H${width}`} className="stroke-control" strokeWidth="1" />
        {months.map(({ month, value }, index) => {
          const height = Math.round(((floor - ceiling) * value) / most);
          const middle = step * (index + 0.5);
          return (
            <g key={month} textAnchor="middle" className="text-[12px] tabular-nums">
              {value > 0 && (
                <>
                  <path d={barPath(middle - bar / 2, height)} className={look} />
                  <text x={middle} y={floor - height - 6} className="fill-ink font-semibold">
                    {value}
                  </text>
                </>
              )}
              <text x={middle} y={floor + 17} className="fill-quiet">
                {monthLetters(month)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** A bar that stands on the floor and is round at its top. */
function barPath(x: number, height: number): string {
  const round = Math.min(4, height);
  return `M${x} ${floor}v${round - height}q0 ${-round} ${round} ${-round}h${bar - 2 * round}q${round} 0 ${round} ${round}v${height - round}z`;
}
