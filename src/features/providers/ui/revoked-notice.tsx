import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';

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
