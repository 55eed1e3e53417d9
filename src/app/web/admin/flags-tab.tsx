import { type ComponentProps, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { FlagsPanel } from '#/features/settings/ui/flags-panel.tsx';
import { FactorCoverage } from '#/features/accounts/ui/factor-coverage.tsx';
import { m } from '#/texts/messages.js';
import { PersonName } from '#/features/accounts/ui/person-name.tsx';
import type { NamedPerson } from '#/features/accounts/names/contract.ts';
import { api } from '#/web/api.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field } from '#/web/components/field.tsx';
import { shortestWords, useSearchText } from './search-text.ts';

export function FlagsTab() {
  return <FlagsPanel personName={nameOf} peoplePicker={pickPeople} twoFactor={<FactorCoverage />} />;
}

function nameOf(id: string) {
  return <PersonName id={id} />;
}

function pickPeople(props: ComponentProps<typeof PeoplePicker>) {
  return <PeoplePicker {...props} />;
}

function PeoplePicker({
  legend,
  value,
  onChange,
  providersOnly,
  error,
}: {
  legend: string;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  providersOnly: boolean;
  error: string | undefined;
}) {
  const search = useRef<HTMLInputElement>(null);
  const { words, type } = useSearchText();
  const found = useQuery({
    ...api.names.find.queryOptions({
      input: { search: words, ...(providersOnly ? { role: 'provider' as const } : {}) },
    }),
    enabled: words.length >= shortestWords,
    placeholderData: (last) => last,
  });
  const chosen = useQuery({
    ...api.names.of.queryOptions({ input: { ids: [...value] } }),
    enabled: value.length > 0,
    placeholderData: (last) => last,
  });
  const offers =
    words.length >= shortestWords ? (found.data ?? []).filter(({ id }) => !value.includes(id)) : [];
  const listed = value.map((id) =>
    [...(chosen.data ?? []), ...(found.data ?? [])].find((one) => one.id === id),
  );
  return (
    <div>
      <Field label={legend} hint={m.admin_people_hint()} error={error}>
        <Combobox
          ref={search}
          value=""
          onChange={(id) => onChange([...value, id])}
          offers={offers.map((person) => ({ value: person.id, label: textOf(person) }))}
          searching={words.length < shortestWords || found.isFetching}
          onType={type}
          autoComplete="off"
          maxLength={200}
        />
      </Field>
      {value.length > 0 && (
        <ul aria-label={m.factor_coverage_chosen()} className="mt-3 grid gap-1.5">
          {value.map((id, index) => (
            <li
              key={id}
              className="flex min-h-11 items-center justify-between gap-2 rounded-control bg-sunken pl-3.5 wrap-anywhere"
            >
              {listed[index] ? textOf(listed[index]) : '…'}
              <button
                type="button"
                aria-label={m.web_remove_name({ name: listed[index]?.name ?? '' })}
                onClick={() => {
                  onChange(value.filter((one) => one !== id));
                  search.current?.focus();
                }}
                className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:text-ink"
              >
                <X aria-hidden className="size-5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function textOf({ name, email }: NamedPerson): string {
  return `${name} · ${email}`;
}
