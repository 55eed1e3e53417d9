import { m } from '#/texts/messages.js';
import { StatCard, Section } from '#/web/components/card.tsx';
import { auditCategories, categoryNames } from '../actions/rules.ts';
import type { LogFigures } from '../contract.ts';

const number = new Intl.NumberFormat('en-US');

export function Figures({ figures }: { figures: LogFigures }) {
  const cards = [
    [m.audit_total_actions(), figures.total],
    [m.audit_successful(), figures.successful],
    [m.audit_failed(), figures.failed],
    [m.audit_active_users(), figures.activeUsers],
  ] as const;
  return (
    <div className="space-y-4 sm:space-y-6">
      <dl className="grid grid-cols-2 gap-2 max-sm:*:flex max-sm:*:items-center max-sm:*:justify-between max-sm:*:py-1 sm:gap-4 lg:grid-cols-4">
        {cards.map(([label, count]) => (
          <StatCard key={label} label={label} value={number.format(count)} />
        ))}
      </dl>
      <Section level="h3" title={m.audit_by_category()}>
        <dl className="mt-2 grid grid-cols-2 gap-2 sm:mt-3 sm:grid-cols-3 sm:gap-3 xl:grid-cols-5">
          {auditCategories.map((category) => (
            <div
              key={category}
              className="flex items-center justify-between gap-2 rounded-control bg-sunken px-3 py-1.5 max-sm:last:odd:col-span-full sm:block sm:px-4 sm:py-3"
            >
              <dt className="text-sm">{categoryNames[category]()}</dt>
              <dd className="font-semibold tabular-nums sm:text-lg">
                {number.format(figures.categories[category])}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}
