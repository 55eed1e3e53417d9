import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import limits from 'virtual:limits/availability.block';
import { accountFailureText } from '#/features/accounts/ui/failure-text.ts';
import type { AgendaBlock } from '#/features/appointments/agenda/contract.ts';
import type { DaySpan } from '#/web/day-spans.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, TextInput, TextField } from '#/web/components/field.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason, fieldProblems, type FieldTexts } from '#/web/failures.ts';
import { useForm, type Form } from '#/web/form.tsx';
import { spanOf, typedFrom, typedSpan, type TypedBlock } from './block-span.ts';
import { refetchAppointments } from '#/features/appointments/ui/refetch-appointments.ts';
import { holdsTime } from '#/features/appointments/appointment/rules.ts';

/** Offered for a new block, in minutes since midnight. */
const usual = { from: 12 * 60, to: 13 * 60 };

export function BlockDialog({
  open,
  onOpenChange,
  block,
  span: wanted,
  date,
  timeZone,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Null creates a block. */
  block: AgendaBlock | null;
  /** For a new block. */
  span?: DaySpan | undefined;
  date: string;
  timeZone: string;
}) {
  const queries = useQueryClient();
  const formId = useId();
  const remove = useRemoval(() => onOpenChange(false));
  const form = useForm<TypedBlock>({
    values: block ? typedFrom(block, timeZone) : typedSpan(wanted ?? { day: date, ...usual }),
    limits,
    sentence: noteText,
    check: (typed) => {
      const span = spanOf(typed, timeZone);
      return 'problems' in span ? span.problems : {};
    },
    refusedTexts: (error): FieldTexts => refused(error, form.getValues('wholeDays')),
    failureText: (error) =>
      failureReason(error) === 'too_many' ? m.schedule_block_bad_many() : accountFailureText(error),
    save: async (typed) => {
      remove.reset();
      const span = spanOf(typed, timeZone);
      if ('problems' in span) return;
      const saved = { ...span, note: typed.note };
      if (block) await api.availability.changeBlock.call({ ...saved, blockId: block.id });
      else await api.availability.block.call(saved);
      void refetchAppointments(queries);
      onOpenChange(false);
      toast.done(block ? m.schedule_block_changed() : m.schedule_block_done());
    },
  });
  const { field, register } = form;
  const failure = form.failure ?? (remove.isError ? accountFailureText(remove.error) : undefined);
  const typed = form.watch();
  const span = spanOf(typed, timeZone);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={block ? m.schedule_blocked() : m.schedule_block()}
      description={m.schedule_block_text()}
      footer={
        <>
          {block && (
            <Button variant="secondary" busy={remove.isPending} onClick={() => remove.mutate(block)}>
              {m.schedule_block_remove()}
            </Button>
          )}
          {!block && (
            <Button variant="secondary" onClick={() => onOpenChange(false)}>
              {m.web_cancel()}
            </Button>
          )}
          <Button type="submit" form={formId} busy={form.busy} disabled={remove.isPending}>
            {block ? m.web_save_changes() : m.schedule_block_save()}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} className="grid gap-5">
        <FailureAlert title={m.schedule_block_failed()} text={failure} />
        <Switch label={m.schedule_block_all_day()} {...register('wholeDays')} className="-mt-2.5" />
        {typed.wholeDays ? <WholeDays form={form} /> : <PartOfDay form={form} />}
        <TextField
          label={m.schedule_block_note()}
          hint={m.schedule_block_note_hint()}
          optional
          {...field('note')}
        />
        {'startsAt' in span && open && <BookedSessions {...span} />}
      </form>
    </Dialog>
  );
}

function WholeDays({ form: { register, errorOf, getValues, setValue, watch } }: { form: Form<TypedBlock> }) {
  const first = register('first');
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={m.schedule_block_first()} error={errorOf('first')}>
        <TextInput
          type="date"
          required
          {...first}
          onChange={(event) => {
            void first.onChange(event);
            if (event.target.value > getValues('last')) setValue('last', event.target.value);
          }}
        />
      </Field>
      <Field label={m.schedule_block_last()} error={errorOf('last')}>
        <TextInput type="date" required min={watch('first')} {...register('last')} />
      </Field>
    </div>
  );
}

/** Midnight ends a day as well. */
const halves = [
  { label: m.schedule_block_until_noon, from: '00:00', to: '12:00' },
  { label: m.schedule_block_from_noon, from: '12:00', to: '00:00' },
];

function PartOfDay({ form: { field, register, errorOf, setValue } }: { form: Form<TypedBlock> }) {
  const first = register('first');
  return (
    <div className="grid grid-cols-2 gap-5">
      <Field label={m.web_date()} error={errorOf('first')} className="col-span-2">
        <TextInput
          type="date"
          required
          {...first}
          onChange={(event) => {
            void first.onChange(event);
            setValue('last', event.target.value);
          }}
        />
      </Field>
      <TextField label={m.schedule_block_from()} type="time" required {...field('from')} />
      <TextField label={m.schedule_block_to()} type="time" required {...field('to')} />
      <div className="col-span-2 -mt-2 flex flex-wrap gap-2">
        {halves.map(({ label, from, to }) => (
          <Button
            key={from}
            variant="secondary"
            size="sm"
            onClick={() => {
              setValue('from', from);
              setValue('to', to);
            }}
          >
            {label()}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Removes a block, which a toast restores. */
function useRemoval(onRemoved: () => void) {
  const queries = useQueryClient();
  const restore = useMutation({
    ...api.availability.block.mutationOptions(),
    onSuccess: () => {
      void refetchAppointments(queries);
      toast.done(m.schedule_block_restored());
    },
    onError: (error) => toast.failed(accountFailureText(error)),
  });
  return useMutation({
    mutationFn: ({ id }: AgendaBlock) => api.availability.unblock.call({ blockId: id }),
    onSuccess: (_, { startsAt, endsAt, note }) => {
      void refetchAppointments(queries);
      onRemoved();
      toast({
        tone: 'success',
        title: m.schedule_block_removed(),
        action: {
          label: m.web_undo(),
          altText: m.schedule_block_undo_alt(),
          onSelect: () => restore.mutate({ startsAt, endsAt, note }),
        },
      });
    },
  });
}

const refusals: Readonly<Partial<Record<string, () => string>>> = {
  ends_before_it_begins: m.schedule_block_bad_order,
  in_past: m.schedule_block_bad_past,
  too_long: m.schedule_block_bad_long,
  too_far: m.schedule_block_bad_far,
};

/** Shows a refused start or end at the typed end. */
function refused(error: unknown, whole: boolean): FieldTexts {
  return Object.fromEntries(
    fieldProblems(error).map(({ field, reason }) =>
      field === 'note'
        ? ['note', m.web_text_bad()]
        : [whole ? 'last' : 'to', (refusals[reason] ?? m.schedule_block_bad_order)()],
    ),
  );
}

function noteText(field: string): string | undefined {
  return field === 'note' ? m.web_text_bad() : undefined;
}

/** Blocking doesn't cancel booked sessions, so list them. */
function BookedSessions({ startsAt, endsAt }: { startsAt: string; endsAt: string }) {
  const { data } = useQuery(
    api.appointments.mine.queryOptions({ input: { from: startsAt, to: endsAt, limit: 200 } }),
  );
  const booked = (data ?? []).filter(({ status }) => holdsTime(status));
  if (booked.length === 0) return null;
  const count = booked.length;
  const names = [...new Set(booked.map(({ client }) => client?.name ?? ''))];
  return (
    <Notice title={m.schedule_block_booked({ count })}>
      {[...names.slice(0, 3), ...(names.length > 3 ? ['…'] : [])].join(', ')}
    </Notice>
  );
}
