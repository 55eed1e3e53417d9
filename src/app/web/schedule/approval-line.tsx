import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';

export function ApprovalLine() {
  const { data } = useQuery(api.availability.mine.queryOptions());
  if (!data) return null;
  return (
    <p className="text-quiet print:hidden">
      {data.approvesFirst ? m.schedule_approval_on() : m.schedule_approval_off()}{' '}
      <Link
        to="/availability"
        className="inline-flex min-h-11 items-center font-semibold text-primary hover:text-primary-strong hover:underline"
      >
        {m.schedule_approval_change()}
      </Link>
    </p>
  );
}
