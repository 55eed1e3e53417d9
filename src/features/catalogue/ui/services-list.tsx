import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Pencil, Plus, Power, PowerOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, StatCard } from '#/web/components/card.tsx';
import { DataTable, type Column } from '#/web/components/data-table.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Menu } from '#/web/components/menu.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason, isRefusal } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { mediumDateText } from '#/web/times.ts';
import type { ManagedService } from '../contract.ts';
import { averagePriceText, priceText } from '../rules.ts';
import { ServicesForm } from './services-form.tsx';
import { serviceFailureText } from './failure-text.ts';

interface Question {
  act: 'deactivate' | 'delete';
  service: ManagedService;
}

/** `specialists` counts per service; undefined while loading. */
export function ServicesList({ specialists }: { specialists: ReadonlyMap<string, number> | undefined }) {
  const zone = useOwnZone();
  const [edited, setEdited] = useState<ManagedService | 'new' | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [asking, setAsking] = useState(false);
  const query = useQuery(api.catalogue.managed.queryOptions());
  const act = useServiceActions(() => setAsking(false));
  useLiveQueries(api.catalogue.managed.key(), 'catalogue.changed');

  const ask = (next: Question) => {
    act.reset();
    setQuestion(next);
    setAsking(true);
  };
  const count = (id: string) => specialists && (specialists.get(id) ?? 0);
  const columns = columnsOf({
    zone,
    count,
    onEdit: setEdited,
    onAsk: ask,
    onActivate: (service) => act.mutate({ act: 'activate', service }),
  });

  return (
    <section aria-labelledby="services-admin">
      <PartHeading
        id="services-admin"
        title={m.admin_tab_services()}
        action={
          <Button className="max-sm:px-4" onClick={() => setEdited('new')}>
            <Plus className="max-sm:hidden" />
            {m.services_admin_add()}
          </Button>
        }
      >
        {m.services_admin_intro()}
      </PartHeading>
      <FailureAlert
        title={m.web_save_failed()}
        className="mb-6"
        text={act.isError && !asking && serviceFailureText(act.error)}
      />
      <Fetched query={query}>
        {(services) =>
          services.length === 0 ? (
            <Card>
              <EmptyState title={m.services_admin_empty()}>{m.services_admin_empty_text()}</EmptyState>
            </Card>
          ) : (
            <>
              <Figures services={services} />
              <DataTable
                caption={m.services_admin_caption()}
                columns={columns}
                rows={services}
                dense
                className="mt-6"
              />
            </>
          )
        }
      </Fetched>
      {edited && (
        <ServicesForm
          service={edited === 'new' ? null : edited}
          latest={query.data?.find((one) => edited !== 'new' && one.id === edited.id) ?? null}
          onClose={() => setEdited(null)}
        />
      )}
      {question && (
        <ActQuestion
          question={question}
          specialists={count(question.service.id)}
          open={asking}
          onOpenChange={setAsking}
          error={act.error}
          busy={act.isPending}
          onAct={(one) => act.mutate({ act: one, service: question.service })}
        />
      )}
    </section>
  );
}

function columnsOf({
  zone,
  count,
  onEdit,
  onAsk,
  onActivate,
}: {
  zone: string;
  count: (id: string) => number | undefined;
  onEdit: (service: ManagedService) => void;
  onAsk: (question: Question) => void;
  onActivate: (service: ManagedService) => void;
}): Column<ManagedService>[] {
  return [
    {
      id: 'name',
      label: m.web_name(),
      className: 'max-lg:basis-full max-lg:pr-10 lg:min-w-60',
      cell: ({ id, title: name, category, description, active }) => (
        <>
          {active ? (
            <Link to={`/service/${id}`} className="py-3 font-semibold text-primary hover:underline">
              {name}
            </Link>
          ) : (
            <span className="font-semibold">{name}</span>
          )}
          <span className="block text-sm">{category}</span>
          <span className="mt-0.5 line-clamp-2 text-sm text-quiet">{description}</span>
        </>
      ),
    },
    {
      id: 'duration',
      label: m.services_length(),
      numeric: true,
      className: 'whitespace-nowrap',
      cell: ({ durationMinutes: minutes }) => m.web_minutes_short({ minutes }),
    },
    {
      id: 'price',
      label: m.services_admin_price_short(),
      numeric: true,
      cell: ({ priceCents }) => priceText(priceCents),
    },
    {
      id: 'specialists',
      label: m.services_admin_specialists(),
      numeric: true,
      narrow: 'labeled',
      cell: ({ id }) => count(id) ?? '…',
    },
    {
      id: 'status',
      label: m.web_status(),
      cell: ({ active }) => (
        <Badge tone={active ? 'sage' : 'neutral'}>
          {active ? m.services_admin_active() : m.services_admin_inactive()}
        </Badge>
      ),
    },
    {
      id: 'created',
      label: m.services_admin_created(),
      narrow: 'labeled',
      className: 'whitespace-nowrap',
      cell: ({ createdAt }) => <time dateTime={createdAt}>{mediumDateText(createdAt, zone)}</time>,
    },
    {
      id: 'actions',
      label: m.web_actions(),
      actions: true,
      cell: (service) => (
        <Menu
          trigger={
            <Button variant="quiet" size="icon" aria-label={m.web_actions_for({ name: service.title })}>
              <Ellipsis />
            </Button>
          }
          items={[
            { label: m.web_edit(), icon: <Pencil />, onSelect: () => onEdit(service) },
            service.active
              ? {
                  label: m.services_admin_deactivate(),
                  icon: <PowerOff />,
                  onSelect: () => onAsk({ act: 'deactivate', service }),
                }
              : {
                  label: m.services_admin_activate(),
                  icon: <Power />,
                  onSelect: () => onActivate(service),
                },
            {
              label: m.web_delete(),
              icon: <Trash2 />,
              tone: 'destructive',
              onSelect: () => onAsk({ act: 'delete', service }),
            },
          ]}
        />
      ),
    },
  ];
}

function Figures({ services }: { services: readonly ManagedService[] }) {
  const figures = [
    { label: m.services_admin_total(), value: services.length },
    { label: m.services_admin_offered(), value: services.filter(({ active }) => active).length },
    {
      label: m.services_admin_average(),
      value: averagePriceText(services.map(({ priceCents }) => priceCents)),
    },
  ];
  return (
    <dl className="grid grid-cols-3 gap-3">
      {figures.map(({ label, value }) => (
        <StatCard key={label} label={label} value={value} />
      ))}
    </dl>
  );
}

type ServiceAction = Question['act'] | 'activate';

function useServiceActions(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({
      act,
      service: { id: serviceId, version },
    }: {
      act: ServiceAction;
      service: ManagedService;
    }) => {
      const seen = { serviceId, version };
      if (act === 'delete') await api.catalogue.remove.call(seen);
      else await api.catalogue.setActive.call({ ...seen, active: act === 'activate' });
    },
    onSuccess: (_, { act, service: { title: service } }) => {
      onDone();
      const texts = {
        activate: m.services_admin_activated_text,
        deactivate: m.services_admin_deactivated_text,
        delete: m.services_admin_deleted_text,
      };
      toast.done(
        act === 'delete' ? m.services_admin_deleted() : m.services_admin_updated(),
        texts[act]({ service }),
      );
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void queries.invalidateQueries({ queryKey: api.catalogue.key() });
    },
  });
}

/** Names the consequences, and offers to deactivate services that can't be deleted. */
function ActQuestion({
  question: { act, service },
  specialists,
  open,
  onOpenChange,
  error,
  busy,
  onAct,
}: {
  question: Question;
  specialists: number | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  error: unknown;
  busy: boolean;
  onAct: (act: ServiceAction) => void;
}) {
  const inUse = failureReason(error) === 'service_in_use' && service.active;
  const deletes = act === 'delete' && !inUse;
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={act === 'delete' ? m.services_admin_delete_title() : m.services_admin_deactivate_title()}
      description={
        deletes
          ? deletionText(service.title, specialists)
          : m.services_admin_deactivate_text({ service: service.title })
      }
      confirmLabel={
        inUse
          ? m.services_admin_deactivate_instead()
          : deletes
            ? m.web_delete()
            : m.services_admin_deactivate()
      }
      busy={busy}
      onConfirm={() => onAct(deletes ? 'delete' : 'deactivate')}
    >
      {error !== null && <Notice tone="destructive">{serviceFailureText(error)}</Notice>}
    </AlertDialog>
  );
}

function deletionText(service: string, specialists: number | undefined): string {
  if (!specialists) return m.services_admin_delete_nobody({ service });
  return m.services_admin_delete_some({ service, count: specialists });
}
