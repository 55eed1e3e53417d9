import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Select, TextInput, TextField } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import { Menu } from '#/web/components/menu.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { failureText } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { startOfDate } from '#/web/times.ts';
import { auditCategories, type AuditCategory, categoryNames } from '../actions/rules.ts';
import type { LogFilter, LogFormat } from '../contract.ts';
import { longestSearch } from '../rules.ts';
import { Entries } from './entries.tsx';
import { Figures } from './figures.tsx';

type Cursor = { beforeAt: string; beforeId: string } | undefined;

/** Beyond this, the count shows "more". */
const maxNew = 50;

export function AuditLog() {
  // Names stay out of the URL.
  const [search, setSearch] = useState('');
  const [category, setCategory] = useState<AuditCategory | ''>('');
  const [days, setDays] = useState({ from: '', to: '' });
  const [waiting, setWaiting] = useState({ count: 0, more: false });
  const queries = useQueryClient();
  const zone = useOwnZone();

  const turned = days.from !== '' && days.to !== '' && days.from > days.to;
  const span = turned ? {} : spanOf(days, zone);
  const filter: LogFilter = { search, ...span, ...(category && { category }) };
  const options = api.audit.list.infiniteOptions({
    input: (beyond: Cursor) => ({ ...filter, limit: 25, ...beyond }),
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ more, entries: read }) => {
      const last = more ? read.at(-1) : undefined;
      return last && { beforeAt: last.at, beforeId: last.id };
    },
  });
  const list = useInfiniteQuery(options);
  const pages = list.data?.pages ?? [];
  const entries = pages.flatMap((page) => page.entries);

  /** Discards results from before the list restarted. */
  const turn = useRef(0);
  const startOver = () => {
    turn.current += 1;
    setWaiting({ count: 0, more: false });
  };
  const narrow = (change: () => void) => {
    startOver();
    change();
  };
  const look = async () => {
    if (!list.data) return;
    const asked = turn.current;
    void queries.invalidateQueries({ queryKey: api.audit.figures.key() });
    const head = await api.audit.list.call({ ...filter, limit: maxNew });
    if (turn.current !== asked) return;
    const shown = new Set(entries.map(({ id }) => id));
    const known = head.entries.findIndex(({ id }) => shown.has(id));
    const count = known === -1 ? head.entries.length : known;
    setWaiting({ count, more: known === -1 && head.more });
  };
  useRealtime(({ type }) => {
    // Ignore network failures; the next event retries.
    if (type === 'audit.sealed' || type === 'missed') void look().catch(() => undefined);
  });
  const showNew = () => {
    startOver();
    void queries.resetQueries({ queryKey: options.queryKey });
  };

  return (
    <div className="space-y-5 sm:space-y-6">
      <PartHeading title={m.admin_tab_audit()} action={<Export filter={filter} />}>
        {m.audit_text()}
      </PartHeading>
      <LogFigures span={span} />
      <Section level="h3" title={m.audit_recent()}>
        <LogFilters
          search={search}
          onSearch={(words) => narrow(() => setSearch(words))}
          category={category}
          onCategory={(one) => narrow(() => setCategory(one))}
          days={days}
          onDays={(chosen) => narrow(() => setDays(chosen))}
          turned={turned}
        />
        {pages[0]?.manyPeople && <Notice className="mt-4">{m.audit_many_people()}</Notice>}
        <div role="status" className="mt-4 empty:hidden">
          {waiting.count > 0 && (
            <p className="flex flex-wrap items-center gap-x-3 rounded-control bg-primary-soft px-4 py-1">
              {newText(waiting)}
              <Button variant="quiet" size="sm" onClick={showNew}>
                {m.audit_new_show()}
              </Button>
            </p>
          )}
        </div>
        <div className="mt-2 sm:mt-4">
          <Fetched
            query={list}
            failure={m.audit_failed_load()}
            skeleton={
              <div className="grid gap-3">
                {[0, 1, 2, 3, 4].map((one) => (
                  <Skeleton key={one} className="h-12" />
                ))}
              </div>
            }
          >
            {() =>
              entries.length === 0 ? (
                <Nothing filtered={search !== '' || category !== '' || Boolean(span.from ?? span.to)} />
              ) : (
                <>
                  <Entries entries={entries} />
                  <MoreButton query={list} />
                </>
              )
            }
          </Fetched>
        </div>
      </Section>
    </div>
  );
}

interface Span {
  from?: string;
  to?: string;
}

function LogFigures({ span }: { span: Span }) {
  const figures = useQuery(api.audit.figures.queryOptions({ input: span }));
  return (
    <Fetched
      query={figures}
      failure={m.audit_figures_failed()}
      skeleton={
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          {[0, 1, 2, 3].map((one) => (
            <Skeleton key={one} className="h-24" />
          ))}
        </div>
      }
    >
      {(counted) => <Figures figures={counted} />}
    </Fetched>
  );
}

interface Days {
  from: string;
  to: string;
}

function LogFilters({
  search,
  onSearch,
  category,
  onCategory,
  days,
  onDays,
  turned,
}: {
  search: string;
  onSearch: (words: string) => void;
  category: AuditCategory | '';
  onCategory: (category: AuditCategory | '') => void;
  days: Days;
  onDays: (days: Days) => void;
  /** The last day is before the first. */
  turned: boolean;
}) {
  return (
    <div className="mt-3 grid grid-cols-2 items-start gap-x-3 gap-y-2 max-xs:grid-cols-1 sm:gap-4 xl:grid-cols-[minmax(0,1fr)_13rem_10rem_10rem]">
      <SearchField
        label={m.audit_search()}
        placeholder={m.audit_search_placeholder()}
        value={search}
        maxLength={longestSearch}
        onSearch={onSearch}
      />
      <WhenHydrated>
        <Field label={m.web_category()}>
          <Select value={category} onChange={({ target }) => onCategory(target.value as AuditCategory | '')}>
            <option value="">{m.audit_category_all()}</option>
            <Options of={auditCategories} text={(one) => categoryNames[one]()} />
          </Select>
        </Field>
        <TextField
          label={m.audit_from()}
          type="date"
          value={days.from}
          onChange={({ target }) => onDays({ ...days, from: target.value })}
        />
        <Field label={m.audit_to()} {...(turned && { error: m.audit_dates_turned() })}>
          <TextInput
            type="date"
            value={days.to}
            onChange={({ target }) => onDays({ ...days, to: target.value })}
          />
        </Field>
      </WhenHydrated>
    </div>
  );
}

function spanOf({ from, to }: Days, zone: string): Span {
  const after = to && new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
  return { ...(from && { from: startOfDate(from, zone) }), ...(after && { to: startOfDate(after, zone) }) };
}

function newText({ count, more }: { count: number; more: boolean }): string {
  if (more) return m.audit_new_many({ count });
  return m.audit_new({ count });
}

function Export({ filter }: { filter: LogFilter }) {
  const begin = async (format: LogFormat) => {
    try {
      const link = document.createElement('a');
      link.href = (await api.audit.export.call({ ...filter, format })).path;
      link.download = '';
      link.click();
    } catch (error) {
      toast.failed(m.audit_export_failed(), failureText(error));
    }
  };
  const take = (format: LogFormat) => () => void begin(format);
  return (
    <Menu
      trigger={
        <Button variant="secondary">
          <Download />
          {m.audit_export()}
        </Button>
      }
      items={[
        { label: m.audit_export_csv(), onSelect: take('csv') },
        { label: m.audit_export_json(), onSelect: take('json') },
      ]}
    />
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState as="p" title={m.audit_none_title_filtered()}>
      {m.audit_none_text_filtered()}
    </EmptyState>
  ) : (
    <EmptyState as="p" title={m.audit_none_title()}>
      {m.audit_none_text()}
    </EmptyState>
  );
}
