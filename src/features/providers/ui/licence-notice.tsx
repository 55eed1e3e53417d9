import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import type { LicenceEnd } from '../expiry/contract.ts';
import { credentialEndDay } from './credential-texts.ts';

export function LicenceNotice({ end: { until, state } }: { end: LicenceEnd }) {
  const date = credentialEndDay(until);
  const ended = state === 'ended';
  return (
    <Notice
      {...(ended ? { tone: 'destructive' } : {})}
      title={ended ? m.practice_licence_ended() : m.practice_licence_ending()}
      className="mb-5"
    >
      {ended ? m.practice_licence_ended_text({ date }) : m.practice_licence_ending_text({ date })}{' '}
      <Link to="/practice?tab=credentials" className="text-primary underline hover:text-primary-strong">
        {m.practice_licence_link()}
      </Link>
    </Notice>
  );
}
