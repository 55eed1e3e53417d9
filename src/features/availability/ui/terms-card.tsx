import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Section } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { Field, FieldError, TextInput } from '#/web/components/field.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText } from '#/web/failures.ts';
import type { PartProps } from './problem-texts.ts';
import type { AvailabilityView } from '../contract.ts';
import { useAvailability } from './availability-queries.ts';

export function TermsCard({ week, view, problems, onChange, onNews }: PartProps) {
  const { site } = view;
  const numbers = [
    {
      field: 'buffer' as const,
      label: m.availability_buffer(),
      hint: m.availability_buffer_hint({ site: site.bufferMinutes }),
      ofSite: site.bufferMinutes,
    },
    {
      field: 'notice' as const,
      label: m.availability_notice(),
      hint: m.availability_notice_hint({ site: site.noticeHours }),
      ofSite: site.noticeHours,
    },
    {
      field: 'daily' as const,
      label: m.availability_daily(),
      hint: m.availability_daily_hint({ site: site.dailyMaximum }),
      ofSite: site.dailyMaximum,
    },
  ];
  return (
    <Section card title={m.availability_terms()}>
      <p className="mt-1 text-quiet">{m.availability_terms_text()}</p>
      <div className="mt-4 grid gap-4">
        <LengthsField
          offered={site.sessionLengths}
          chosen={week.lengths}
          error={problems.lengths}
          onChange={(lengths) => onChange({ ...week, lengths })}
        />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-x-3 gap-y-5">
          {numbers.map(({ field, label, hint, ofSite }) => (
            <Field key={field} label={label} hint={hint} error={problems[field]}>
              <TextInput
                inputMode="numeric"
                autoComplete="off"
                maxLength={4}
                placeholder={String(ofSite)}
                value={week[field]}
                onChange={({ target }) => onChange({ ...week, [field]: target.value })}
              />
            </Field>
          ))}
        </div>
        <div className="border-t border-line pt-2">
          <ApprovalSwitch view={view} onNews={onNews} />
        </div>
      </div>
    </Section>
  );
}

/** Selecting all stores null, which means the site's offer. */
function LengthsField({
  offered,
  chosen,
  error,
  onChange,
}: {
  offered: readonly number[];
  chosen: readonly number[] | null;
  error: string | undefined;
  onChange: (lengths: readonly number[] | null) => void;
}) {
  const id = useId();
  const on = (minutes: number) => chosen === null || chosen.includes(minutes);
  const toggle = (minutes: number) => {
    const next = offered.filter((one) => (one === minutes ? !on(one) : on(one)));
    onChange(next.length === offered.length ? null : next);
  };
  return (
    <fieldset className="min-w-0" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-semibold">{m.availability_lengths()}</legend>
      <div className="flex flex-wrap gap-2">
        {offered.map((minutes) => (
          <label
            key={minutes}
            className={classes(
              'group relative flex min-h-11 items-center gap-2 rounded-control border bg-card px-3 py-2 font-medium tabular-nums hover:bg-sunken',
              'has-checked:border-primary has-checked:bg-primary-soft',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
              error ? 'border-clay' : 'border-control',
            )}
          >
            <input
              type="checkbox"
              checked={on(minutes)}
              aria-invalid={error ? true : undefined}
              onChange={() => toggle(minutes)}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control outline-none"
            />
            <Check className="hidden size-4 text-primary group-has-checked:block" />
            {m.web_minutes_short({ minutes })}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

function ApprovalSwitch({ view, onNews }: { view: AvailabilityView; onNews: (news: string) => void }) {
  const { keep } = useAvailability();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const { mutate } = useMutation({
    ...api.availability.setApproval.mutationOptions(),
    scope: { id: 'approval' },
    onSuccess: ({ approvesFirst }) => {
      keep((last) => ({ ...last, approvesFirst }));
      onNews(approvesFirst ? m.availability_approval_on() : m.availability_approval_off());
    },
    onError: (error) => toast.failed(failureText(error)),
    onSettled: () => setPressed(null),
  });
  return (
    <Switch
      label={m.availability_approval()}
      description={m.availability_approval_text()}
      checked={pressed ?? view.approvesFirst}
      onChange={({ target }) => {
        setPressed(target.checked);
        mutate({ approvesFirst: target.checked });
      }}
    />
  );
}
