import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserRound, UsersRound } from 'lucide-react';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup, Switch } from '#/web/components/choice.tsx';
import { Combobox, type Offer } from '#/web/components/combobox.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { PrayerAudience } from '../prayers/contract.ts';
import { failureText } from './failure-text.ts';
import { refusedTexts, type FieldTexts } from './field-texts.ts';
import { useGrowth } from './growth-acts.ts';

/** How long a search waits for the next letter, in milliseconds. */
const typingPause = 250;
/** As much as a search takes. */
const longestSearch = 100;

/** Asks for prayer: for what, and who may read it. */
export function PrayerForm({ onClose }: { onClose: () => void }) {
  const growth = useGrowth();
  const queries = useQueryClient();
  const { toast } = useToast();
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const [text, setText] = useState('');
  const [audience, setAudience] = useState<PrayerAudience | null>(null);
  const [chosen, setChosen] = useState<Offer | null>(null);
  const [showName, setShowName] = useState(true);
  const [errors, setErrors] = useState<FieldTexts>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** What is typed into the list of counsellors, and what is asked for once the typing pauses. */
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

  const showErrors = (found: FieldTexts) => {
    flushSync(() => setErrors(found));
    form.current
      ?.querySelector<HTMLElement>(
        '[aria-invalid="true"]:is(input,textarea,select), [aria-invalid="true"] input',
      )
      ?.focus();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const missing: FieldTexts = {
      ...(text.trim() === '' ? { text: m.growth_prayer_form_text_required() } : {}),
      ...(audience === null ? { audience: m.growth_prayer_form_audience_required() } : {}),
      ...(audience === 'counsellor' && chosen === null
        ? { providerId: m.growth_prayer_form_counsellor_required() }
        : {}),
    };
    if (audience === null || Object.keys(missing).length > 0) {
      showErrors(missing);
      return;
    }
    setErrors({});
    setFailure(null);
    setBusy(true);
    try {
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
    } catch (error) {
      const found = refusedTexts(error, sentence);
      if (Object.keys(found).length > 0) showErrors(found);
      else setFailure(failureText(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={m.growth_prayer_ask()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {m.web_cancel()}
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {m.growth_prayer_form_send()}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        {failure && (
          <Notice tone="destructive" title={m.growth_failed_title()}>
            {failure}
          </Notice>
        )}
        <Field label={m.growth_prayer_form_text()} error={errors.text}>
          <Textarea value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
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
      </form>
    </Dialog>
  );
}

function offersOf(found: readonly { id: string; name: string; title: string }[]): Offer[] {
  return found.map(({ id, name, title }) => ({ value: id, label: `${name}, ${title}` }));
}

/** Who is chosen stays offered, though what is typed since finds others. */
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
