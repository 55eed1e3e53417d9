import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { fieldTexts } from '#/web/failures.ts';
import type { Profile } from '../contract.ts';
import { profileLimits } from '../rules.ts';
import { accountFailureText } from './failure-text.ts';
import { useSession } from './session.tsx';
import { presentZone, timeZoneOffers } from '#/web/zones.ts';
import { PracticeZone, ZonePart } from './zone-part.tsx';

type Typed = Pick<Profile, 'fullName' | 'spiritualTradition'> & { timeZone: string };
type Errors = Partial<Record<keyof Typed, string>>;

export function ProfileForm({
  profile,
  onUnsaved,
}: {
  profile: Profile;
  onUnsaved: (unsaved: boolean) => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { viewer, refresh } = useSession();
  const { toast } = useToast();
  const form = useRef<HTMLFormElement>(null);
  /** Only edited fields; others follow stored values. */
  const [typed, setTyped] = useState<Partial<Typed>>({});
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const stored: Typed = {
    fullName: profile.fullName,
    spiritualTradition: profile.spiritualTradition,
    // `viewer` may already have the browser's time zone.
    timeZone: presentZone(profile.timeZone ?? viewer?.timeZone ?? ''),
  };
  const shown = { ...stored, ...typed };
  const zones = useMemo(() => timeZoneOffers(), []);
  const isSpecialist = viewer !== null && isProvider(viewer.role);

  const change = (field: keyof Typed, value: string) => {
    const next = { ...typed, [field]: value };
    if (value === stored[field]) delete next[field];
    setTyped(next);
    onUnsaved(Object.keys(next).length > 0);
  };
  const showErrors = (found: Errors) => {
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  };

  const save = useMutation({
    ...api.accounts.updateProfile.mutationOptions(),
    onSuccess: async (saved) => {
      queries.setQueryData(api.accounts.profile.queryKey(), saved);
      setTyped({});
      onUnsaved(false);
      toast({ tone: 'success', title: m.accounts_profile_saved() });
      await refresh();
    },
    onError: (error) => {
      const found = refusals(error);
      if (Object.keys(found).length > 0) showErrors(found);
      else setProblem(accountFailureText(error));
    },
  });

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    setProblem(null);
    const found = problemsOf(shown, zones);
    if (Object.keys(found).length > 0) {
      showErrors(found);
      return;
    }
    setErrors({});
    const { timeZone, ...rest } = shown;
    save.mutate({ ...rest, ...(timeZone === '' || isSpecialist ? {} : { timeZone }) });
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid max-w-reading gap-5">
      <Field label={m.accounts_full_name()} error={errors.fullName}>
        <TextInput
          name="fullName"
          value={shown.fullName}
          onChange={({ target }) => change('fullName', target.value)}
          autoComplete="name"
          required
        />
      </Field>
      <Field label={m.accounts_email()} hint={m.accounts_profile_email_hint()}>
        <TextInput name="email" type="email" value={profile.email} disabled />
      </Field>
      <Field
        label={m.accounts_profile_tradition()}
        hint={m.accounts_profile_tradition_hint()}
        error={errors.spiritualTradition}
        optional
      >
        <Combobox
          free
          name="spiritualTradition"
          value={shown.spiritualTradition}
          onChange={(value) => change('spiritualTradition', value)}
          offers={traditions()}
        />
      </Field>
      {isSpecialist ? (
        <PracticeZone zone={stored.timeZone} />
      ) : (
        <ZonePart
          zone={shown.timeZone}
          error={errors.timeZone}
          onChange={(value) => change('timeZone', value)}
        />
      )}
      {problem && <Notice tone="destructive">{problem}</Notice>}
      <div>
        <Button type="submit" busy={save.isPending} className="max-sm:w-full">
          {m.accounts_profile_save()}
        </Button>
      </div>
    </form>
  );
}

function problemsOf({ fullName, spiritualTradition, timeZone }: Typed, zones: readonly { value: string }[]) {
  const found: Errors = {};
  if (fullName.trim() === '') found.fullName = m.accounts_field_name_required();
  else if (fullName.trim().length > profileLimits.fullName) found.fullName = m.accounts_field_name_bad();
  if (spiritualTradition.trim().length > profileLimits.tradition) found.spiritualTradition = traditionBad();
  if (timeZone !== '' && !zones.some(({ value }) => value === timeZone) && !timeZone.includes('/'))
    found.timeZone = m.accounts_profile_zone_bad();
  return found;
}

function refusals(error: unknown): Errors {
  const sentences: Partial<Record<string, () => string>> = {
    fullName: m.accounts_field_name_bad,
    spiritualTradition: traditionBad,
    timeZone: m.accounts_profile_zone_bad,
  };
  return fieldTexts(error, (field) => sentences[field]?.());
}

function traditionBad(): string {
  return m.accounts_profile_tradition_bad({ max: profileLimits.tradition });
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
