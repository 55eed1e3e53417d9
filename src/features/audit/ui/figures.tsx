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
    <div className="space-y-6">
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {cards.map(([label, count]) => (
          <StatCard key={label} label={label} value={number.format(count)} />
        ))}
      </dl>
      <Section level="h3" title={m.audit_by_category()}>
        <dl className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
          {auditCategories.map((category) => (
            <div key={category} className="rounded-card bg-sunken px-4 py-3">
              <dt className="text-sm">{categoryNames[category]()}</dt>
              <dd className="text-lg font-semibold tabular-nums">
                {number.format(figures.categories[category])}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}
