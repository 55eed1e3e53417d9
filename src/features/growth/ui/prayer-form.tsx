import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserRound, UsersRound } from 'lucide-react';
import { useRef, useState } from 'react';
import limits from 'virtual:limits/growth.prayers.ask';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { ChoiceGroup, Switch } from '#/web/components/choice.tsx';
import { Combobox, type Offer } from '#/web/components/combobox.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, TextareaField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useRequestKey } from '#/web/request-key.ts';
import type { PrayerAudience } from '../prayers/contract.ts';
import { useGrowthForm } from './growth-actions.ts';

/** Search debounce in milliseconds. */
const typingPause = 250;
/** The API's search length limit. */
const longestSearch = 100;

interface Values {
  text: string;
  audience: PrayerAudience | null;
  providerId: string;
  showName: boolean;
}

export function PrayerForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const requestIdOf = useRequestKey();
  /** Selectable even if a search doesn't find it. */
  const [chosen, setChosen] = useState<Offer | null>(null);
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = (words: string) => {
    setTyped(words.trim());
    clearTimeout(soon.current);
    soon.current = setTimeout(() => setSearch(words.trim()), typingPause);
  };
  const form = useGrowthForm<Values>({
    values: { text: '', audience: null, providerId: '', showName: true },
    limits,
    sentence,
    check: ({ audience, providerId }) => ({
      ...(audience === null ? { audience: m.growth_prayer_form_audience_required() } : {}),
      ...(audience === 'counsellor' && providerId === ''
        ? { providerId: m.growth_prayer_form_counsellor_required() }
        : {}),
    }),
    save: async ({ text, audience, providerId, showName }) => {
      if (audience === null) return;
      const counsellor = audience === 'counsellor' ? { providerId } : {};
      const request = { text, audience, showName, ...counsellor };
      await api.growth.prayers.ask.call({ requestId: requestIdOf(request), ...request });
      void queries.invalidateQueries({ queryKey: api.growth.key() });
      toast.done(m.growth_prayer_form_sent(), m.growth_prayer_form_sent_text());
      onClose();
    },
  });
  const { field, register, choice, errorOf } = form;
  const audience = form.watch('audience');
  const counsellors = useQuery({
    ...api.growth.prayers.counsellors.queryOptions({ input: { search } }),
    enabled: audience === 'counsellor',
    placeholderData: keepPreviousData,
  });

  return (
    <FormDialog
      title={m.growth_prayer_ask()}
      submitLabel={m.growth_prayer_ask()}
      failedTitle={m.web_did_not_work()}
      form={form}
      onClose={onClose}
    >
      <div>
        <TextareaField label={m.growth_prayer_form_text()} {...field('text')} />
        <CrisisHelp text={form.watch('text')} className="mt-3" />
      </div>
      <ChoiceGroup
        legend={m.growth_prayer_form_audience()}
        error={errorOf('audience')}
        {...choice('audience')}
        choices={[
          {
            value: 'counsellor',
            label: m.growth_prayer_form_one(),
            description: m.growth_prayer_form_one_text(),
            icon: <UserRound />,
          },
          {
            value: 'pastors',
            label: m.growth_prayer_form_pastors(),
            description: m.growth_prayer_form_pastors_text(),
            icon: <UsersRound />,
          },
        ]}
      />
      {audience === 'counsellor' && (
        <Fetched query={counsellors}>
          {(found) => (
            <Field
              label={m.growth_prayer_form_counsellor()}
              hint={m.growth_prayer_form_counsellor_hint()}
              error={errorOf('providerId')}
            >
              <Combobox
                autoComplete="off"
                maxLength={longestSearch}
                value={choice('providerId').value}
                onChange={(id) => {
                  choice('providerId').onChange(id);
                  setChosen(offersOf(found).find(({ value }) => value === id) ?? null);
                }}
                offers={withChosen(offersOf(found), chosen)}
                searching={typed !== search || counsellors.isFetching}
                onType={look}
              />
            </Field>
          )}
        </Fetched>
      )}
      {audience !== null && (
        <Switch
          label={
            audience === 'pastors' ? m.growth_prayer_form_name_pastors() : m.growth_prayer_form_name_one()
          }
          description={m.growth_prayer_form_name_text()}
          {...register('showName')}
        />
      )}
    </FormDialog>
  );
}

function offersOf(found: readonly { id: string; name: string; title: string }[]): Offer[] {
  return found.map(({ id, name, title }) => ({ value: id, label: `${name}, ${title}` }));
}

/** Keeps the selected one even without a match. */
function withChosen(offers: readonly Offer[], chosen: Offer | null): readonly Offer[] {
  return !chosen || offers.some(({ value }) => value === chosen.value) ? offers : [...offers, chosen];
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'text')
    return reason === 'bad_format' ? m.web_text_bad() : m.growth_prayer_form_text_required();
  return field === 'providerId' ? m.growth_prayer_form_counsellor_required() : undefined;
}
