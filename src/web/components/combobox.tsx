import { Check, ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';
import { TextInput } from './field.tsx';

export interface Offer {
  value: string;
  label: string;
}

/** Maximum options rendered at once. */
const shownAtOnce = 60;

interface ComboboxProps {
  value: string;
  onChange: (value: string) => void;
  offers: readonly Offer[];
  free?: boolean;
  searching?: boolean;
  /** Receives the typed text for server-side search; an empty string once the list closes. */
  onType?: (text: string) => void;
  ref?: Ref<HTMLInputElement>;
  name?: string;
  maxLength?: number;
  autoComplete?: string;
  placeholder?: string;
  required?: boolean;
}

/**
 * Text input with suggestions (WAI-ARIA combobox with a list popup): arrow keys select, Enter accepts, Escape closes.
 * With `free`, accepts any text; otherwise only suggestions.
 */
export function Combobox({
  value,
  onChange,
  offers,
  free = false,
  searching = false,
  onType,
  ref,
  ...rest
}: ComboboxProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = offers.find((offer) => offer.value === value)?.label ?? value;
  const [typed, setTyped] = useState<string | null>(null);
  /** False until typing: opening the list shows everything. */
  const [narrowing, setNarrowing] = useState(false);
  const [at, setAt] = useState(-1);
  const open = typed !== null;
  const wanted = plain(typed ?? '');
  const fits = ({ label }: Offer) => plain(label).includes(wanted) && !(free && wanted === '');
  const fitting = offers.filter((offer) => !narrowing || fits(offer)).slice(0, shownAtOnce);
  // Overlays what's below: click targets don't shift.
  const nothing = open && fitting.length === 0 && !free && !searching;

  const show = (text: string, first: number, narrow = false) => {
    setTyped(text);
    setAt(first);
    setNarrowing(narrow);
  };
  const offering = open && fitting.length > 0;
  useEffect(() => {
    if (offering) list.current?.scrollIntoView({ block: 'nearest' });
  }, [offering]);
  const take = (next: string) => {
    onChange(next);
    leave();
  };
  const leave = () => {
    setTyped(null);
    setAt(-1);
    if (open) onType?.('');
  };
  const move = (to: number) => {
    setAt(to);
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  const openAtChosen = () =>
    show(
      chosen,
      offers.findIndex((offer) => offer.value === value),
    );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const offer = fitting[at];
    if (step) {
      event.preventDefault();
      if (!open) openAtChosen();
      else if (fitting.length > 0) move((at + step + fitting.length) % fitting.length);
    } else if (event.key === 'Enter' && open && offer) {
      // Otherwise Enter submits the form as usual.
      event.preventDefault();
      take(offer.value);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      leave();
    }
  };

  return (
    <div className="relative">
      <TextInput
        {...rest}
        ref={ref}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && fitting[at] ? `${id}-${at}` : undefined}
        autoCapitalize="none"
        spellCheck={false}
        value={typed ?? chosen}
        onChange={({ target }) => {
          show(target.value, free ? -1 : 0, true);
          if (free) onChange(target.value);
          onType?.(target.value);
        }}
        onClick={() => show(chosen, -1)}
        onBlur={() => {
          const meant = free ? undefined : offers.find(({ label }) => plain(label) === wanted);
          if (open && meant) take(meant.value);
          else leave();
        }}
        onKeyDown={onKeyDown}
        className="pr-11"
      />
      <ChevronDown className="pointer-events-none absolute inset-y-0 right-3.5 my-auto size-5 text-quiet" />
      <OptionList
        ref={list}
        id={id}
        offers={open ? fitting : []}
        value={value}
        at={at}
        hidden={!offering}
        onTake={take}
      />
      <ListStatus nothing={nothing} count={offering ? fitting.length : null} />
    </div>
  );
}

function OptionList({
  ref,
  id,
  offers,
  value,
  at,
  hidden,
  onTake,
}: {
  ref: Ref<HTMLDivElement>;
  id: string;
  offers: readonly Offer[];
  value: string;
  /** Index of the highlighted option, or -1. */
  at: number;
  hidden: boolean;
  onTake: (value: string) => void;
}) {
  return (
    <div
      ref={ref}
      id={`${id}-list`}
      role="listbox"
      tabIndex={-1}
      aria-label={m.web_offers()}
      hidden={hidden}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 scroll-mb-20 overflow-y-auto rounded-control border border-control bg-card py-1 shadow-soft"
    >
      {offers.map((offer, index) => (
        <Option
          key={offer.value}
          id={`${id}-${index}`}
          label={offer.label}
          selected={offer.value === value}
          active={index === at}
          onTake={() => onTake(offer.value)}
        />
      ))}
    </div>
  );
}

function ListStatus({ nothing, count }: { nothing: boolean; count: number | null }) {
  return (
    <p
      role="status"
      className={
        nothing
          ? 'absolute inset-x-0 top-full z-20 mt-1 rounded-control border border-control bg-card px-3.5 py-2.5 text-quiet shadow-soft'
          : 'sr-only'
      }
    >
      {nothing && m.web_offers_none()}
      {count !== null && m.web_offers_count({ count })}
    </p>
  );
}

function Option({
  id,
  label,
  selected,
  active,
  onTake,
}: {
  id: string;
  label: string;
  selected: boolean;
  active: boolean;
  onTake: () => void;
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the input's, which keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className={classes(
        'flex min-h-11 cursor-pointer items-center justify-between gap-3 px-3.5 py-1.5 hover:bg-sunken',
        active && 'bg-primary-soft text-primary-strong',
      )}
    >
      {label}
      {selected && <Check className="size-4 shrink-0 text-primary" />}
    </div>
  );
}

/** Normalizes for search: lowercase, no accents. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim();
}
