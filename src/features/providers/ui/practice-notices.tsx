import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import type { LicenseEnd } from '../expiry/contract.ts';
import { credentialEndDay } from './credential-texts.ts';

export function LicenseNotice({ end: { until, state } }: { end: LicenseEnd }) {
  const date = credentialEndDay(until);
  const ended = state === 'ended';
  return (
    <Notice
      {...(ended ? { tone: 'destructive' } : {})}
      title={ended ? m.practice_license_ended() : m.practice_license_ending()}
      className="mb-5"
    >
      {ended ? m.practice_license_ended_text({ date }) : m.practice_license_ending_text({ date })}{' '}
      <Link to="/practice?tab=credentials" className="text-primary underline hover:text-primary-strong">
        {m.practice_license_link()}
      </Link>
    </Notice>
  );
}

export function RevokedNotice({ reason, supportEmail }: { reason: string; supportEmail: string }) {
  return (
    <Notice tone="destructive" title={m.practice_revoked()} className="mb-5">
      <span className="block">{m.practice_revoked_text({ email: supportEmail })}</span>
      <span className="mt-2 block wrap-anywhere whitespace-pre-line">
        {m.applications_reason_given({ reason })}
      </span>
    </Notice>
  );
}
