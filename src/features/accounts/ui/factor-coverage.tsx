import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { FactorCoverage as Coverage } from '../second-factor/contract.ts';
import { counted, roleTexts } from './users-texts.ts';

export function FactorCoverage() {
  const { data } = useQuery(api.secondFactor.coverage.queryOptions());
  useLiveQueries(api.secondFactor.coverage.key(), 'site.changed', 'directory.changed');
  if (!data) return null;
  const { offered, demanded, covered, lacking, uncovered } = data;
  if (!offered) return <Notice>{demanded ? m.factor_coverage_hollow() : m.factor_coverage_off()}</Notice>;
  const facts = {
    who: whoText(data),
    covered: counted(covered),
    lacking: counted(lacking),
    uncovered: counted(uncovered),
  };
  return (
    <Notice
      action={
        lacking > 0 && <Link to="/admin/settings?tab=users&factor=missing">{m.factor_coverage_show()}</Link>
      }
    >
      {demanded ? m.factor_coverage_demanded(facts) : m.factor_coverage_offered(facts)}
    </Notice>
  );
}

function whoText({ scope, roles }: Coverage): string {
  if (scope === 'global') return m.factor_coverage_everyone();
  if (scope === 'user_specific') return m.factor_coverage_chosen();
  return new Intl.ListFormat('en-US').format(roles.map((role) => roleTexts[role]()));
}
