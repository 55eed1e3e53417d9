import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import limits from 'virtual:limits/accounts.updateProfile';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, TextInput, TextField } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useForm } from '#/web/form.tsx';
import { useDeviceZone } from '#/web/own-zone.tsx';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import type { Profile } from '../contract.ts';
import { accountFailureText } from './failure-text.ts';
import { useSession } from './session.tsx';

export function ProfileForm({
  profile,
  onUnsaved,
}: {
  profile: Profile;
  onUnsaved: (unsaved: boolean) => void;
}) {
  const queries = useQueryClient();
  const { viewer, refresh } = useSession();
  const isSpecialist = viewer !== null && isProvider(viewer.role);
  const valuesOf = ({ fullName, spiritualTradition, timeZone }: Profile) => ({
    fullName,
    spiritualTradition,
    // `viewer` may already have the browser's time zone.
    timeZone: presentZone(timeZone ?? viewer?.timeZone ?? ''),
  });
  const stored = valuesOf(profile);
  const form = useForm({
    values: stored,
    version: Object.values(stored).join('\n'),
    limits,
    sentence,
    // The contract lets a profile keep its name by leaving it out.
    check: ({ fullName }) => (fullName.trim() === '' ? { fullName: sentence('fullName', 'required') } : {}),
    failureText: accountFailureText,
    save: async ({ timeZone, ...rest }) => {
      const zone = timeZone === '' || isSpecialist ? {} : { timeZone };
      const saved = await api.accounts.updateProfile.call({ ...rest, ...zone });
      queries.setQueryData(api.accounts.profile.queryKey(), saved);
      form.takeSaved(valuesOf(saved));
      toast.done(m.accounts_profile_saved());
      void refresh();
    },
  });
  const { field, choice, errorOf, failure, busy, unsaved } = form;
  useEffect(() => onUnsaved(unsaved), [onUnsaved, unsaved]);

  return (
    <form {...form.props} className="grid max-w-reading gap-5">
      <TextField label={m.accounts_full_name()} {...field('fullName')} autoComplete="name" required />
      <div>
        <Field label={m.accounts_email()}>
          <TextInput name="email" type="email" value={profile.email} disabled />
        </Field>
        <Link
          to="/profile?tab=settings"
          className="inline-flex min-h-11 items-center text-primary underline hover:text-primary-strong"
        >
          {m.email_change_action()}
        </Link>
      </div>
      <Field
        label={m.accounts_profile_tradition()}
        hint={m.accounts_profile_tradition_hint()}
        error={errorOf('spiritualTradition')}
        optional
      >
        <Combobox {...choice('spiritualTradition')} free name="spiritualTradition" offers={traditions()} />
      </Field>
      {isSpecialist ? (
        <PracticeZone zone={stored.timeZone} />
      ) : (
        <ZonePart {...choice('timeZone')} error={errorOf('timeZone')} />
      )}
      {failure && <Notice tone="destructive">{failure}</Notice>}
      <div>
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {m.settings_save()}
        </Button>
      </div>
    </form>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'fullName')
    return reason === 'required' ? m.accounts_field_name_required() : m.web_text_bad();
  if (field === 'spiritualTradition') return m.web_text_bad();
  return field === 'timeZone' ? m.web_zone_bad() : undefined;
}

function traditions(): { value: string; label: string }[] {
  return [
    { value: 'SDA', label: m.accounts_tradition_sda() },
    ...[
      m.accounts_tradition_anglican(),
      m.accounts_tradition_baptist(),
      m.accounts_tradition_catholic(),
      m.accounts_tradition_evangelical(),
      m.accounts_tradition_lutheran(),
      m.accounts_tradition_methodist(),
      m.accounts_tradition_none(),
      m.accounts_tradition_orthodox(),
      m.accounts_tradition_pentecostal(),
      m.accounts_tradition_presbyterian(),
    ].map((label) => ({ value: label, label })),
  ];
}

function ZonePart({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (zone: string) => void;
}) {
  const offers = useMemo(() => timeZoneOffers(), []);
  const device = useDeviceZone();
  const own = device && presentZone(device);
  return (
    <div>
      <Field label={m.accounts_profile_zone()} hint={m.accounts_profile_zone_hint()} error={error}>
        <Combobox name="timeZone" autoComplete="off" value={value} onChange={onChange} offers={offers} />
      </Field>
      {own !== null && value !== own && (
        <Button variant="quiet" size="sm" className="-ml-3.5" onClick={() => onChange(own)}>
          {m.accounts_profile_zone_own({ zone: zoneName(own) })}
        </Button>
      )}
    </div>
  );
}

/** Changed with practice hours, not here. */
function PracticeZone({ zone }: { zone: string }) {
  return (
    <div>
      <Field label={m.accounts_profile_zone()} hint={m.accounts_profile_zone_practice()}>
        <TextInput name="practiceZone" value={zoneName(zone)} disabled />
      </Field>
      <Link
        to="/availability"
        className="inline-flex min-h-11 items-center text-primary underline hover:text-primary-strong"
      >
        {m.accounts_profile_zone_availability()}
      </Link>
    </div>
  );
}
