import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, MapPin, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { OwnPlace } from '../places/contract.ts';
import { providerFailureText } from './failure-text.ts';
import { PlaceForm } from './place-form.tsx';

export function PlacesEditor({ hint }: { hint?: ReactNode }) {
  useLiveQueries(api.providers.places.list.key(), 'providers.places_changed');
  const query = useQuery(api.providers.places.list.queryOptions());
  const listing = useQuery(api.providers.mine.queryOptions());
  return (
    <Section title={m.places_title()} focusable>
      <p className="mt-1 mb-5 max-w-reading text-quiet">{m.places_text()}</p>
      <Fetched
        query={query}
        failure={m.places_load_failed()}
        skeleton={<Skeleton className="h-36 max-w-3xl" />}
      >
        {(places) => <Places places={places} location={listing.data?.location} hint={hint} />}
      </Fetched>
    </Section>
  );
}

function Places({
  places,
  location,
  hint,
}: {
  places: readonly OwnPlace[];
  location: string | undefined;
  hint: ReactNode;
}) {
  const [form, setForm] = useState<{ place: OwnPlace | null } | null>(null);
  const [news, setNews] = useState('');
  const open = places.filter(({ closed }) => !closed);
  const closed = places.filter((place) => place.closed);
  const edit = (place: OwnPlace) => setForm({ place });
  return (
    <>
      {open.length === 0 && location && <p className="mb-4">{m.places_none({ location })}</p>}
      {open.length > 0 && (
        <ol className="mb-5 grid max-w-3xl gap-4">
          {open.map((place, index) => (
            <li key={place.id}>
              <Entry place={place} onEdit={edit}>
                <Order places={open} index={index} onMoved={setNews} />
              </Entry>
            </li>
          ))}
        </ol>
      )}
      {hint && <div className="mb-5 max-w-reading text-quiet">{hint}</div>}
      <Button variant="secondary" onClick={() => setForm({ place: null })}>
        <Plus aria-hidden />
        {m.places_add()}
      </Button>
      {closed.length > 0 && (
        <>
          <h3 className="mt-8 mb-3 text-lg">{m.places_closed_title()}</h3>
          <ul className="grid max-w-3xl gap-4">
            {closed.map((place) => (
              <li key={place.id}>
                <Entry place={place} onEdit={edit} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p role="status" className="sr-only">
        {news}
      </p>
      {form && <PlaceForm place={form.place} onClose={() => setForm(null)} />}
    </>
  );
}

function Entry({
  place,
  onEdit,
  children,
}: {
  place: OwnPlace;
  onEdit: (place: OwnPlace) => void;
  children?: ReactNode;
}) {
  const { name, address, town, directions, closed } = place;
  return (
    <Card as="article" aria-label={name}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="text-lg wrap-anywhere">{name}</h3>
          <p className="flex items-start gap-2 text-quiet">
            <MapPin aria-hidden className="mt-1 size-4.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere whitespace-pre-line">
              {address}, {town}
            </span>
          </p>
        </div>
        {closed && <Badge>{m.places_closed()}</Badge>}
        {children}
      </div>
      {directions && <p className="mt-2 text-sm wrap-anywhere whitespace-pre-line">{directions}</p>}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button about={name} variant="secondary" size="sm" onClick={() => onEdit(place)}>
          {m.web_edit()}
        </Button>
        <Closing place={place} />
      </div>
    </Card>
  );
}

function Closing({ place: { id, name, closed } }: { place: OwnPlace }) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const close = useMutation({
    ...api.providers.places.close.mutationOptions(),
    onSuccess: (place) => {
      setAsking(false);
      toast.done(place.closed ? m.places_is_closed({ name }) : m.places_is_open({ name }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: api.providers.places.key() }),
  });
  const problem = close.isError && (
    <FailureAlert
      title={m.web_save_failed()}
      className="mt-3 basis-full"
      text={providerFailureText(close.error)}
    />
  );
  return (
    <>
      <Button
        about={name}
        variant="quiet"
        size="sm"
        busy={close.isPending && !asking}
        onClick={() => (closed ? close.mutate({ placeId: id, closed: false }) : setAsking(true))}
      >
        {closed ? m.places_reopen() : m.places_close()}
      </Button>
      {!asking && problem}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.places_close_title({ name })}
        description={m.places_close_text()}
        confirmLabel={m.places_close()}
        busy={close.isPending}
        onConfirm={() => close.mutate({ placeId: id, closed: true })}
      >
        {problem}
      </AlertDialog>
    </>
  );
}

function Order({
  places,
  index,
  onMoved,
}: {
  places: readonly OwnPlace[];
  index: number;
  onMoved: (news: string) => void;
}) {
  const queries = useQueryClient();
  const { name } = places[index]!;
  const order = useMutation({
    ...api.providers.places.order.mutationOptions(),
    onSuccess: (ordered, { placeIds }) => {
      queries.setQueryData(api.providers.places.list.queryKey(), ordered);
      onMoved(m.places_moved({ name, number: placeIds.indexOf(places[index]!.id) + 1 }));
    },
    onError: async (error) => {
      toast.failed(m.web_save_failed(), providerFailureText(error));
      await queries.invalidateQueries({ queryKey: api.providers.places.key() });
    },
  });
  if (places.length < 2) return null;
  const move = (step: 1 | -1) => {
    const ids = places.map(({ id }) => id);
    [ids[index], ids[index + step]] = [ids[index + step]!, ids[index]!];
    order.mutate({ placeIds: ids });
  };
  const button = (step: 1 | -1, label: string, icon: ReactNode) => (
    <Button
      variant="quiet"
      size="icon"
      aria-label={`${label} ${name}`}
      // `aria-disabled` instead of `disabled`, so the button keeps focus at the end of the list.
      aria-disabled={places[index + step] === undefined || order.isPending}
      className="aria-disabled:opacity-40"
      onClick={() => {
        if (places[index + step] && !order.isPending) move(step);
      }}
    >
      {icon}
    </Button>
  );
  return (
    <div className="-my-1 flex">
      {button(-1, m.places_up(), <ArrowUp aria-hidden />)}
      {button(1, m.places_down(), <ArrowDown aria-hidden />)}
    </div>
  );
}
