import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import type { FieldTexts } from '#/web/form-saving.ts';
import { deviceZone } from '#/web/device-zone.ts';
import { presentZone } from '#/web/zones.ts';
import { typeText } from '../applications/rules.ts';
import {
  BioField,
  CredentialFields,
  credentialOf,
  emptyWords,
  fieldSentence,
  LineField,
  missingIn,
  OfferFields,
  ProfessionalFields,
  Section,
  sentOf,
  type Part,
} from './application-fields.tsx';
import { useSaving } from './saving.ts';

/** Form for adding a provider (administrator spec, section 2). */
export function AddProviderForm({ services }: { services: readonly { id: string; title: string }[] }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const saving = useSaving(fieldSentence);
  const { form, failure, busy } = saving;
  const [words, setWords] = useState(begun);
  const [inPerson, setInPerson] = useState(false);
  const [client, setClient] = useState<{ name: string; email: string } | null>(null);
  const known = client?.email === words.email ? client : null;
  // Show whole-credential errors at the expiry date.
  const errors: FieldTexts = {
    ...saving.errors,
    expiresOn: saving.errors.expiresOn ?? saving.errors.credential,
  };
  const part: Part = {
    words,
    errors,
    whole: false,
    onChange: (change) => setWords((last) => ({ ...last, ...change })),
  };

  const add = async () => {
    try {
      const { name } = await api.providers.applications.add.call({
        ...sentOf(words),
        email: words.email,
        existing: known !== null,
        inPerson,
        ...(words.number.trim() === '' ? {} : { credential: credentialOf(words) }),
      });
      toast({
        tone: 'success',
        title: m.applications_add_done(),
        description: m.applications_add_done_text({ name, type: typeText(words.type!) }),
      });
    } catch (error) {
      if (!isRefusal(error) || error.reason !== 'account_is_client') throw error;
      setClient({ name: error.data?.name as string, email: words.email });
      return;
    }
    setWords(begun());
    setInPerson(false);
    setClient(null);
    form.current?.querySelector('input')?.focus();
    void queries.invalidateQueries({ queryKey: api.providers.key() });
  };
  const missing = () => {
    const found = missingIn(words, false);
    if (Object.keys(found).length > 0)
      toast({
        tone: 'destructive',
        title: m.applications_add_missing(),
        description: m.applications_add_missing_text(),
      });
    return found;
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void saving.submit(event, missing(), add)}
      className="grid gap-6"
    >
      <Section title={m.applications_part_basic()}>
        <LineField part={part} field="fullName" label={m.applications_full_name()} />
        <Field label={m.applications_email()} error={errors.email}>
          <TextInput
            type="email"
            autoComplete="off"
            required
            value={words.email}
            onChange={({ target }) => part.onChange({ email: target.value })}
          />
        </Field>
        <LineField part={part} field="phone" label={m.practice_field_phone()} type="tel" optional />
      </Section>
      <Section title={m.applications_part_professional()}>
        <ProfessionalFields part={part} />
        <CredentialFields part={part} numberLabel={m.applications_licence_number()} />
      </Section>
      <Section title={m.applications_part_services()}>
        <OfferFields part={part} services={services} />
        <Switch
          label={m.applications_in_person()}
          checked={inPerson}
          onChange={({ target }) => setInPerson(target.checked)}
          className="sm:max-w-md"
        />
      </Section>
      <Section title={m.applications_part_bio()}>
        <BioField part={part} />
      </Section>
      {known && (
        <Notice title={m.applications_add_client({ name: known.name })}>
          {m.applications_add_client_text()}
        </Notice>
      )}
      {failure && (
        <Notice tone="destructive" title={m.applications_add_failed()}>
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {known ? m.applications_add_again() : m.applications_add_button()}
        </Button>
        <ButtonLink to="/home" variant="secondary" className="max-sm:w-full">
          {m.applications_add_cancel()}
        </ButtonLink>
      </div>
    </form>
  );
}

function begun() {
  return emptyWords(presentZone(deviceZone()));
}
