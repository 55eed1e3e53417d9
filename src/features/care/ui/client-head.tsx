import { ArrowLeft, Clock, Mail, Phone } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { EmailText } from '#/web/components/email-text.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { dateText, longDateText, zoneText } from '#/web/times.ts';
import type { ClientView } from '../clients/contract.ts';

export function ClientHead({
  client,
  timeZone,
  children,
}: {
  client: ClientView;
  timeZone: string;
  children?: ReactNode;
}) {
  const { id, name, photoUrl, erased, contact, since, sessions } = client;
  // The first session may be upcoming.
  const [isComing] = useState(() => Date.parse(since) > Date.now());
  return (
    <>
      <Link to="/clients" className="inline-flex min-h-11 items-center gap-1.5 text-primary hover:underline">
        <ArrowLeft className="size-4.5" />
        {m.care_client_back()}
      </Link>
      <div className="mt-2 flex flex-wrap items-start gap-x-4 gap-y-2">
        <Avatar id={id} name={name} src={photoUrl} className="sm:size-20! sm:text-2xl!" />
        <div className="min-w-0 flex-1 basis-40">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
            {client.record && <Badge>{m.care_record_badge()}</Badge>}
            {erased && <Badge>{m.care_client_deleted()}</Badge>}
          </div>
          <p className="text-quiet">
            {isComing
              ? m.care_client_first({ date: dateText(since, timeZone) })
              : m.care_client_since({ date: longDateText(since, timeZone) })}
          </p>
          {contact && (
            <ul className="mt-1 flex flex-wrap gap-x-6">
              {contact.email && (
                <Fact icon={<Mail />}>
                  <a
                    href={`mailto:${contact.email}`}
                    className="inline-flex min-h-11 items-center text-primary hover:underline"
                  >
                    <EmailText email={contact.email} />
                  </a>
                </Fact>
              )}
              {contact.phone && (
                <Fact icon={<Phone />}>
                  <a
                    href={`tel:${contact.phone.replaceAll(/[^+\d]/g, '')}`}
                    className="inline-flex min-h-11 items-center text-primary hover:underline"
                  >
                    {contact.phone}
                  </a>
                </Fact>
              )}
              <Fact icon={<Clock />}>
                <span className="text-quiet">{m.care_client_zone({ zone: zoneText(contact.timeZone) })}</span>
              </Fact>
            </ul>
          )}
        </div>
        {children && <div className="max-sm:hidden">{children}</div>}
      </div>
      {children && <div className="mt-3 sm:hidden">{children}</div>}
      {erased && <Notice className="mt-4">{m.care_client_deleted_text()}</Notice>}
      <dl
        aria-label={m.care_client_counts()}
        className="mt-5 grid grid-cols-4 divide-line sm:divide-x rounded-card border border-line bg-card py-3 text-center shadow-soft max-sm:grid-cols-2 max-sm:gap-y-3"
      >
        <Count label={m.care_client_completed()} value={sessions.completed} />
        <Count label={m.care_client_to_come()} value={sessions.toCome} />
        <Count label={m.care_client_missed()} value={sessions.missed} />
        <Count label={m.care_client_cancelled()} value={sessions.cancelled} />
      </dl>
    </>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-11 items-center gap-2">
      <span aria-hidden className="shrink-0 text-quiet [&_svg]:size-4.5">
        {icon}
      </span>
      {children}
    </li>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div className="px-2">
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="font-serif text-xl font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
