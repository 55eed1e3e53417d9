import { m } from '#/texts/messages.js';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { ShareBar } from '#/web/components/share-bar.tsx';
import { shortMonthAndYear } from '#/web/times.ts';
import type { ReportView } from '../contract.ts';
import { fullBar } from '../report/rules.ts';
import { wholeText } from './figure-texts.ts';

type Month = ReportView['months'][number];

const measures = [
  { key: 'sessions', name: m.analytics_monthly_sessions, look: 'fill-primary' },
  { key: 'users', name: m.analytics_monthly_users, look: 'fill-sage' },
] as const;

/** Numbers first, since the specification's fixed scales make small bars; latest month first. */
export function MonthCharts({ months }: { months: readonly Month[] }) {
  return (
    <table className="w-full table-fixed text-left tabular-nums">
      <caption className="sr-only">{m.analytics_monthly_caption()}</caption>
      <thead>
        <tr className="border-b border-line text-sm text-quiet">
          <th scope="col" className="w-20 pb-2 font-semibold sm:w-32">
            {m.analytics_month()}
          </th>
          {measures.map(({ key, name }) => (
            <th key={key} scope="col" className="pb-2 pl-4 font-semibold sm:pl-8">
              {name()}{' '}
              <span className="font-normal">
                {m.analytics_monthly_scale({ max: wholeText(fullBar(months, key)) })}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months
          .map((one, index) => (
            <tr key={one.month} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 leading-tight font-normal sm:py-2">
                {shortMonthAndYear(one.month)}
              </th>
              {measures.map(({ key, look }) => (
                <td key={key} className="py-1.5 pl-4 sm:py-2 sm:pl-8">
                  <div className="items-center gap-4 sm:flex">
                    <p className="sm:w-24 sm:shrink-0">
                      <span className="font-semibold">{wholeText(one[key])}</span>
                      <Change value={one[key]} before={months[index - 1]?.[key]} />
                    </p>
                    <ShareBar share={one[key] / fullBar(months, key)} look={look} />
                  </div>
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </table>
  );
}

const signed = new Intl.NumberFormat('en-US', { signDisplay: 'exceptZero' });

function Change({ value, before = value }: { value: number; before: number | undefined }) {
  if (value === before) return null;
  return (
    <span className="text-sm text-quiet">
      {' '}
      {signed.format(value - before).replace('-', '−')}
      <VisuallyHidden> {m.analytics_monthly_change()}</VisuallyHidden>
    </span>
  );
}
