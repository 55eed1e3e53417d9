import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { SheetHead } from '#/web/components/sheet-head.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import type { FindChoices } from '../contract.ts';
import { useDisplayZone } from '#/web/own-zone.tsx';
import { closedChoices, filters, searchOf, typeTextsOf, type Filter, type Search } from './find-search.ts';

/** Referenced by the sort menu outside the form. */
const filtersForm = 'find';

interface Option {
  value: string;
  text: string;
}

/** Works without JavaScript as a GET form. On phones a native popover opens it, even before hydration. */
export function FindFilters({
  search,
  services,
  choices,
  hasVideo,
  countText,
  onChange,
  children,
}: {
  search: Search;
  services: readonly { id: string; title: string }[];
  choices: FindChoices;
  hasVideo: boolean;
  countText: string;
  onChange: (change: Partial<Search>) => void;
  /** Beside the sort menu; below it on phones. */
  children: ReactNode;
}) {
  const id = filtersForm;
  const sheet = useRef<HTMLFormElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // Optimistic value while the URL updates.
  const [chosen, setChosen] = useState(search);
  const [last, setLast] = useState(search);
  if (last !== search) {
    setLast(search);
    setChosen(search);
  }
  const zone = useDisplayZone();
  const choose = (change: Partial<Search>) => {
    const said = { ...change, ...('time' in change && { zone: change.time ? zone : null }) };
    setChosen((before) => ({ ...before, ...said }));
    onChange(said);
  };
  // Choices made before hydration: React resets the fields.
  const early = useRef<Partial<Search>>({});
  useLayoutEffect(() => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(sheet.current!))
      if (typeof value === 'string' && value !== '') fields.set(name, value);
    const before = searchOf(fields, { serviceIds: services.map(({ id: service }) => service), hasVideo });
    const names = [...filters.map(([filter]) => filter), 'order'] as const;
    early.current = Object.fromEntries(
      names.filter((name) => before[name] !== search[name]).map((name) => [name, before[name]]),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- once, as the script begins
  }, []);
  // On wider screens, filters aren't a sheet.
  useEffect(() => {
    const wide = window.matchMedia('(min-width: 40rem)');
    const close = () => sheet.current?.hidePopover();
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, []);
  useEffect(() => {
    if (Object.keys(early.current).length > 0) choose(early.current);
    // oxlint-disable-next-line react/exhaustive-deps -- once, as the script begins
  }, []);

  return (
    <search className="flex flex-wrap items-center gap-x-3 gap-y-2 sm:gap-y-3">
      <Button
        ref={opener}
        variant="secondary"
        popoverTarget={id}
        aria-haspopup="dialog"
        className="grow px-4! sm:hidden"
      >
        <SlidersHorizontal aria-hidden />
        {m.finding_filters()}
      </Button>
      <form
        ref={sheet}
        id={id}
        popover="auto"
        action="/therapists"
        aria-labelledby={`${id}-title`}
        onSubmit={(event) => {
          event.preventDefault();
          // Choices apply on change; submit just closes.
          sheet.current?.hidePopover();
          opener.current?.focus();
        }}
        className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[calc(100dvh-1rem)] w-full scroll-pt-20 scroll-pb-24 overflow-y-auto rounded-t-card bg-card text-ink shadow-soft backdrop:bg-scrim open:animate-sheet sm:static sm:block sm:max-h-none sm:overflow-visible sm:rounded-none sm:bg-transparent sm:shadow-none"
      >
        <SheetHead
          id={id}
          title={m.finding_filters()}
          className="sticky top-0 z-1 items-center border-b border-line bg-card py-2 pr-2 pl-4 sm:hidden"
        />
        <div className="grid gap-x-4 gap-y-4 p-4 sm:grid-cols-4 sm:gap-x-2 sm:gap-y-3 sm:p-0 xl:grid-cols-8">
          {filters.map(([filter, name]) => (
            <FilterField
              key={filter}
              filter={filter}
              name={name()}
              value={chosen[filter] ?? ''}
              options={optionsOf(filter, { services, choices, hasVideo })}
              onChange={(value) => choose({ [filter]: value === '' ? null : value })}
            />
          ))}
        </div>
        <input type="hidden" name="zone" value={zone ?? ''} disabled={zone === null} />
        <div className="sticky bottom-0 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:hidden">
          <Button type="submit" className="w-full">
            {countText ? m.finding_filters_show_found({ found: countText }) : m.finding_filters_show()}
          </Button>
        </div>
        <noscript>
          <div className="mt-4 hidden sm:block">
            <Button type="submit">{m.finding_filters_show()}</Button>
          </div>
        </noscript>
      </form>
      <FindOrder search={search} onChange={onChange} />
      {children}
    </search>
  );
}

function FindOrder({ search, onChange }: { search: Search; onChange: (change: Partial<Search>) => void }) {
  return (
    <label className="flex items-center gap-2 text-sm sm:order-1">
      <span className="font-semibold">{m.web_sort()}</span>
      <Select
        form={filtersForm}
        name="order"
        value={search.order ?? ''}
        onChange={(event) => onChange({ order: event.target.value === 'soonest' ? 'soonest' : null })}
        className="min-h-11! py-1.5! text-sm!"
      >
        <option value="">{m.finding_order_directory()}</option>
        <option value="soonest">{m.finding_order_soonest()}</option>
      </Select>
    </label>
  );
}

function FilterField({
  filter,
  name,
  value,
  options,
  onChange,
}: {
  filter: Filter;
  name: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}) {
  return (
    <Field label={name} className="min-w-0 sm:[&_label]:mb-1 sm:[&_label]:text-sm">
      <Select
        name={filter}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="text-ellipsis sm:min-h-11! sm:py-1.5! sm:pr-9! sm:pl-3! sm:text-sm!"
      >
        <option value="">{m.finding_filters_any()}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
        {/* Keeps the URL's value without matches. */}
        {value !== '' && !options.some((option) => option.value === value) && (
          <option value={value}>{value}</option>
        )}
      </Select>
    </Field>
  );
}

function optionsOf(
  filter: Filter,
  {
    services,
    choices,
    hasVideo,
  }: { services: readonly { id: string; title: string }[]; choices: FindChoices; hasVideo: boolean },
): Option[] {
  if (filter === 'care') return services.map(({ id, title }) => ({ value: id, text: title }));
  const closed = filter === 'type' ? typeTextsOf(hasVideo) : closedChoices[filter];
  if (closed) return Object.entries(closed).map(([value, text]) => ({ value, text: text() }));
  const named =
    filter === 'place' ? choices.towns : filter === 'language' ? choices.languages : choices.traditions;
  return named.map(({ value, count }) => ({ value, text: m.web_name_count({ name: value, count }) }));
}
