import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserRound, UsersRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { ChoiceGroup, Switch } from '#/web/components/choice.tsx';
import { Combobox, type Offer } from '#/web/components/combobox.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { FieldTexts } from '#/web/form-saving.ts';
import type { PrayerAudience } from '../prayers/contract.ts';
import { useGrowth } from './growth-acts.ts';
import { useSaving } from './saving.ts';

/** Search debounce in milliseconds. */
const typingPause = 250;
/** The API's search length limit. */
const longestSearch = 100;

export function PrayerForm({ onClose }: { onClose: () => void }) {
  const growth = useGrowth();
  const queries = useQueryClient();
  const { toast } = useToast();
  const saving = useSaving(sentence);
  const { errors } = saving;
  const [text, setText] = useState('');
  const [audience, setAudience] = useState<PrayerAudience | null>(null);
  const [chosen, setChosen] = useState<Offer | null>(null);
  const [showName, setShowName] = useState(true);
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = (words: string) => {
    setTyped(words.trim());
    clearTimeout(soon.current);
    soon.current = setTimeout(() => setSearch(words.trim()), typingPause);
  };
  const counsellors = useQuery({
    ...growth.prayers.counsellors.queryOptions({ input: { search } }),
    enabled: audience === 'counsellor',
    placeholderData: keepPreviousData,
  });

  const missing = (): FieldTexts => ({
    ...(text.trim() === '' ? { text: m.growth_prayer_form_text_required() } : {}),
    ...(audience === null ? { audience: m.growth_prayer_form_audience_required() } : {}),
    ...(audience === 'counsellor' && chosen === null
      ? { providerId: m.growth_prayer_form_counsellor_required() }
      : {}),
  });
  const save = async () => {
    if (audience === null) return;
    await growth.prayers.ask.call({
      text,
      audience,
      showName,
      ...(audience === 'counsellor' && chosen ? { providerId: chosen.value } : {}),
    });
    void queries.invalidateQueries({ queryKey: growth.key() });
    toast({
      tone: 'success',
      title: m.growth_prayer_form_sent(),
      description: m.growth_prayer_form_sent_text(),
    });
    onClose();
  };

  return (
    <FormDialog
      title={m.growth_prayer_ask()}
      submitLabel={m.growth_prayer_form_send()}
      failedTitle={m.growth_failed_title()}
      saving={saving}
      onSubmit={(event) => void saving.submit(event, missing(), save)}
      onClose={onClose}
    >
      <div>
        <Field label={m.growth_prayer_form_text()} error={errors.text}>
          <Textarea value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <CrisisHelp text={text} className="mt-3" />
      </div>
      <ChoiceGroup
        legend={m.growth_prayer_form_audience()}
        error={errors.audience}
        value={audience}
        onChange={setAudience}
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
              error={errors.providerId}
            >
              <Combobox
                autoComplete="off"
                maxLength={longestSearch}
                value={chosen?.value ?? ''}
                onChange={(id) => setChosen(offersOf(found).find(({ value }) => value === id) ?? null)}
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
          checked={showName}
          onChange={(event) => setShowName(event.target.checked)}
        />
      )}
    </FormDialog>
  );
}

function offersOf(found: readonly { id: string; name: string; title: string }[]): Offer[] {
  return found.map(({ id, name, title }) => ({ value: id, label: `${name}, ${title}` }));
}

/** Keeps the selected counselor even without a search match. */
function withChosen(offers: readonly Offer[], chosen: Offer | null): readonly Offer[] {
  return !chosen || offers.some(({ value }) => value === chosen.value) ? offers : [...offers, chosen];
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'text') {
    if (reason === 'too_large') return m.growth_prayer_form_text_long();
    return reason === 'bad_format' ? m.growth_field_bad() : m.growth_prayer_form_text_required();
  }
  return field === 'providerId' ? m.growth_prayer_form_counsellor_required() : undefined;
}
