import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { accountFailureText } from '#/features/accounts/ui/failure-text.ts';
import type { AgendaBlock } from '#/features/appointments/agenda/contract.ts';
import { dateAfter } from '#/features/appointments/agenda/rules.ts';
import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { failureReason, fieldProblems } from '#/web/failures.ts';
import { dateIn } from '#/web/times.ts';
import { instantAt, startOf, timeValue, wholeDays } from './wall-time.ts';
import { refetchAppointments } from '#/features/appointments/ui/refetch-appointments.ts';

type Problems = Readonly<Partial<Record<'first' | 'last' | 'from' | 'to' | 'note', string>>>;

export function BlockDialog({
  open,
  onOpenChange,
  block,
  date,
  timeZone,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Null creates a block. */
  block: AgendaBlock | null;
  date: string;
  timeZone: string;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const [typed, setTyped] = useState(() => typedFrom(block, date, timeZone));
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const change = (next: Partial<Typed>) => setTyped((last) => ({ ...last, ...next }));
  const span = spanOf(typed, timeZone);
  const fresh = () => void refetchAppointments(queries, api);

  const showProblems = (found: Problems) => {
    flushSync(() => setProblems(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const save = useMutation({
    mutationFn: (wanted: { startsAt: string; endsAt: string; note: string }) =>
      block
        ? api.availability.changeBlock.call({ ...wanted, blockId: block.id })
        : api.availability.block.call(wanted),
    onSuccess: () => {
      fresh();
      onOpenChange(false);
      toast({ tone: 'success', title: block ? m.schedule_block_changed() : m.schedule_block_done() });
    },
    onError: (error) => {
      if (fieldProblems(error).length > 0) showProblems(refused(error, typed.wholeDays));
      else if (failureReason(error) === 'too_many') setFailure(m.schedule_block_bad_many());
      else setFailure(accountFailureText(error));
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: AgendaBlock) => api.availability.unblock.call({ blockId: id }),
    onSuccess: (_, { startsAt, endsAt, note }) => {
      fresh();
      onOpenChange(false);
      toast({
        tone: 'success',
        title: m.schedule_block_removed(),
        action: {
          label: m.schedule_block_undo(),
          altText: m.schedule_block_undo_alt(),
          onSelect: () => restore.mutate({ startsAt, endsAt, note }),
        },
      });
    },
    onError: (error) => setFailure(accountFailureText(error)),
  });
  const restore = useMutation({
    ...api.availability.block.mutationOptions(),
    onSuccess: () => {
      fresh();
      toast({ tone: 'success', title: m.schedule_block_restored() });
    },
    onError: (error) => toast({ tone: 'destructive', title: accountFailureText(error) }),
  });

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (save.isPending || remove.isPending) return;
    setFailure(null);
    if ('problems' in span) return showProblems(span.problems);
    setProblems({});
    save.mutate({ ...span, note: typed.note });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={block ? m.schedule_block_edit_title() : m.schedule_block_title()}
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
          <Button type="submit" form={formId} busy={save.isPending}>
            {block ? m.schedule_block_change() : m.schedule_block_save()}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit} className="grid gap-5">
        {failure && (
          <Notice tone="destructive" title={m.schedule_block_failed()}>
            {failure}
          </Notice>
        )}
        <Switch
          label={m.schedule_block_all_day()}
          description={m.schedule_block_all_day_text()}
          checked={typed.wholeDays}
          onChange={({ target }) => change({ wholeDays: target.checked })}
          className="-mt-2.5"
        />
        {typed.wholeDays ? (
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label={m.schedule_block_first()} error={problems.first}>
              <TextInput
                type="date"
                required
                value={typed.first}
                onChange={({ target }) =>
                  change({
                    first: target.value,
                    ...(target.value > typed.last ? { last: target.value } : {}),
                  })
                }
              />
            </Field>
            <Field label={m.schedule_block_last()} error={problems.last}>
              <TextInput
                type="date"
                required
                min={typed.first}
                value={typed.last}
                onChange={({ target }) => change({ last: target.value })}
              />
            </Field>
          </div>
        ) : (
          <div className="grid grid-cols-2 gap-5">
            <Field label={m.schedule_block_date()} error={problems.first} className="col-span-2">
              <TextInput
                type="date"
                required
                value={typed.first}
                onChange={({ target }) => change({ first: target.value, last: target.value })}
              />
            </Field>
            <Field label={m.schedule_block_from()} error={problems.from}>
              <TextInput
                type="time"
                required
                value={typed.from}
                onChange={({ target }) => change({ from: target.value })}
              />
            </Field>
            <Field label={m.schedule_block_to()} error={problems.to}>
              <TextInput
                type="time"
                required
                value={typed.to}
                onChange={({ target }) => change({ to: target.value })}
              />
            </Field>
          </div>
        )}
        <Field
          label={m.schedule_block_note()}
          hint={m.schedule_block_note_hint()}
          error={problems.note}
          optional
        >
          <TextInput
            maxLength={200}
            value={typed.note}
            onChange={({ target }) => change({ note: target.value })}
          />
        </Field>
        {'startsAt' in span && open && <StandingSessions {...span} />}
      </form>
    </Dialog>
  );
}

/** Blocking doesn't cancel booked sessions, so list them. */
function StandingSessions({ startsAt, endsAt }: { startsAt: string; endsAt: string }) {
  const api = useApi();
  const { data } = useQuery(
    api.appointments.mine.queryOptions({ input: { from: startsAt, to: endsAt, limit: 200 } }),
  );
  const standing = (data ?? []).filter(({ status }) => holdsTime(status));
  if (standing.length === 0) return null;
  const count = standing.length;
  const names = [...new Set(standing.map(({ client }) => client?.name ?? ''))];
  return (
    <Notice title={count === 1 ? m.schedule_block_standing_one() : m.schedule_block_standing({ count })}>
      {m.schedule_block_standing_text({
        names: [...names.slice(0, 3), ...(names.length > 3 ? ['…'] : [])].join(', '),
      })}
    </Notice>
  );
}

/** The provider's local dates and times. */
interface Typed {
  wholeDays: boolean;
  first: string;
  last: string;
  from: string;
  to: string;
  note: string;
}

function typedFrom(block: AgendaBlock | null, date: string, timeZone: string): Typed {
  if (!block) return { wholeDays: false, first: date, last: date, from: '12:00', to: '13:00', note: '' };
  const whole = wholeDays(block, timeZone);
  const { startsAt, endsAt, note } = block;
  return {
    wholeDays: whole !== null,
    first: dateIn(startsAt, timeZone),
    last: whole?.last ?? dateIn(endsAt, timeZone),
    from: whole ? '12:00' : timeValue(startsAt, timeZone),
    to: whole ? '13:00' : timeValue(endsAt, timeZone),
    note,
  };
}

/** Returns the range or validation errors; an end at midnight means the end of that day. */
function spanOf(
  typed: Typed,
  timeZone: string,
): { startsAt: string; endsAt: string } | { problems: Problems } {
  const { first, last, from, to } = typed;
  if (typed.wholeDays) {
    if (!first || !last) {
      const missing = m.schedule_block_bad_date();
      return { problems: { ...(first ? {} : { first: missing }), ...(last ? {} : { last: missing }) } };
    }
    if (last < first) return { problems: { last: m.schedule_block_bad_order() } };
    return { startsAt: startOf(first, timeZone), endsAt: startOf(dateAfter(last, 1), timeZone) };
  }
  if (!first) return { problems: { first: m.schedule_block_bad_date() } };
  if (!from || !to) {
    const missing = m.schedule_block_bad_time();
    return { problems: { ...(from ? {} : { from: missing }), ...(to ? {} : { to: missing }) } };
  }
  // Stored blocks may span several days; new ones end the same day.
  const until = last > first ? last : first;
  const startsAt = instantAt(first, from, timeZone);
  const endsAt =
    to === '00:00' && until === first
      ? startOf(dateAfter(first, 1), timeZone)
      : instantAt(until, to, timeZone);
  if (!startsAt) return { problems: { from: m.schedule_block_bad_skipped() } };
  if (!endsAt) return { problems: { to: m.schedule_block_bad_skipped() } };
  if (Date.parse(endsAt) <= Date.parse(startsAt)) return { problems: { to: m.schedule_block_bad_order() } };
  return { startsAt, endsAt };
}

const refusals: Readonly<Partial<Record<string, () => string>>> = {
  ends_before_it_begins: m.schedule_block_bad_order,
  in_past: m.schedule_block_bad_past,
  too_long: m.schedule_block_bad_long,
  too_far: m.schedule_block_bad_far,
};

function refused(error: unknown, whole: boolean): Problems {
  return Object.fromEntries(
    fieldProblems(error).map(({ field, reason }) =>
      field === 'note'
        ? ['note', m.schedule_block_bad_note()]
        : [whole ? 'last' : 'to', (refusals[reason] ?? m.schedule_block_bad_order)()],
    ),
  );
}
