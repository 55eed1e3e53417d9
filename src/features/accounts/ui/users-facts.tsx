import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Section } from '#/web/components/card.tsx';
import { Fact } from '#/web/components/fact.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { mediumDateText, momentText } from '#/web/times.ts';
import { zoneName } from '#/web/zones.ts';
import type { OpenedUser } from '../users/contract.ts';
import { deviceText } from './device-text.ts';
import { useViewer } from './session.tsx';
import { StatusBadges } from './users-status.tsx';
import { roleTexts } from './users-texts.ts';

/** A person’s status, with an administrator’s actions. */
export function UserHead({ user, children }: { user: OpenedUser; children: ReactNode }) {
  const { id, name, email, photoUrl, role, status, deleteAfter } = user;
  const viewer = useViewer();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Avatar id={id} name={name} src={photoUrl} size="md" />
      <div className="min-w-0 flex-1 basis-60">
        <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-2xl wrap-anywhere">
          {name}
          <span className="flex flex-wrap gap-1 font-sans">
            <StatusBadges status={status} deleteAfter={deleteAfter} />
            {id === viewer?.id && <Badge>{m.users_you()}</Badge>}
          </span>
        </h1>
        <p className="wrap-anywhere text-quiet">
          {roleTexts[role]()} · {email}
        </p>
      </div>
      <div className="basis-full">{children}</div>
    </div>
  );
}

/** An account, its protection and its sessions. */
export function UserFacts({ user }: { user: OpenedUser }) {
  const { emailVerified, heldUntil, timeZone, joinedAt, lastActiveAt, secondFactor, devices } = user;
  const zone = useOwnZone();
  return (
    <Section titleId="account" title={m.person_account()} titleClassName="mb-2 text-lg">
      <dl className="grid gap-3 text-sm max-lg:grid-cols-2 max-lg:[&>:last-child]:col-span-2">
        <Fact name={m.users_column_email()}>
          {emailVerified ? m.person_email_verified() : m.person_email_unverified()}
          {heldUntil && (
            <span className="block text-quiet">
              {m.users_field_email_held({ date: mediumDateText(heldUntil, zone) })}
            </span>
          )}
        </Fact>
        <Fact name={m.second_step_title()}>
          {secondFactor ? m.person_factor_on() : m.person_factor_off()}
        </Fact>
        <Fact name={m.users_column_joined()}>{mediumDateText(joinedAt, zone)}</Fact>
        <Fact name={m.users_column_active()}>
          {lastActiveAt ? momentText(lastActiveAt, zone) : m.users_never()}
        </Fact>
        <Fact name={m.users_field_zone()}>{timeZone ? zoneName(timeZone) : m.person_zone_none()}</Fact>
        <Fact name={m.accounts_devices_list()}>
          {devices.length === 0 ? (
            m.person_devices_none()
          ) : (
            <ul className="grid gap-1">
              {devices.map((device) => (
                <li key={device.id}>
                  {deviceText(device)}
                  <span className="block text-quiet">
                    {m.web_last_used({ when: momentText(device.lastUsedAt, zone) })}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
    </Section>
  );
}
