import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef, type RefObject } from 'react';
import { useSearchParams } from 'react-router';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { roles, type Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { StatCard } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { DataTable, type Column } from '#/web/components/data-table.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { changedQuery } from '#/web/changed-query.ts';
import { useHistoryState } from '#/web/history-state.ts';
import { mediumDateText } from '#/web/times.ts';
import type { ListedUser, Cursor } from '../users/contract.ts';
import { userOrders, userStatuses, type UserOrder, type UserStatus } from '../users/rules.ts';
import { useViewer } from './session.tsx';
import { ExportUsers } from './users-export.tsx';
import { UserMenu } from './users-menu.tsx';
import { StatusBadges } from './users-status.tsx';
import { counted, roleTexts, statusTexts } from './users-texts.ts';

export function UsersPanel() {
  const [query, setQuery] = useSearchParams();
  // Names and emails stay out of the URL.
  const [search, setSearch] = useHistoryState('users', '');
  const searchInput = useRef<HTMLInputElement>(null);
  const role = oneOf(roles, query.get('role'));
  const status = oneOf(userStatuses, query.get('status'));
  const { by, descending } = orderOf(query.get('sort'));
  const lacksFactor = query.get('factor') === 'missing';
  const narrowed = { search, lacksFactor, ...(role ? { role } : {}), ...(status ? { status } : {}) };

  const list = useInfiniteQuery(
    api.directory.list.infiniteOptions({
      input: (beyond: Cursor | undefined) => ({
        ...narrowed,
        order: by,
        descending,
        limit: 25,
        ...(beyond ? { beyond } : {}),
      }),
      initialPageParam: undefined as Cursor | undefined,
      getNextPageParam: ({ beyond }) => beyond ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  useLiveQueries(api.directory.list.key(), 'directory.changed');
  useLiveQueries(api.directory.figures.key(), 'directory.changed');

  const change = (changed: Readonly<Record<string, string | null>>) =>
    setQuery(changedQuery(query, changed), { replace: true, preventScrollReset: true });
  const showAll = () => {
    if (searchInput.current) searchInput.current.value = '';
    setSearch('');
    change({ role: null, status: null, factor: null });
  };
  const sortBy = (pressed: UserOrder) => {
    const down = pressed === by ? !descending : pressed !== 'name';
    change({ sort: sortText(pressed, down) });
  };
  const columns = useColumns();

  return (
    <>
      <PartHeading
        title={m.admin_tab_users()}
        action={<ExportUsers narrowed={narrowed} disabled={!list.isSuccess} />}
      />
      <UserFigures />
      <UserFilters
        search={search}
        searchInput={searchInput}
        onSearch={setSearch}
        role={role}
        status={status}
        lacksFactor={lacksFactor}
        onChange={change}
      />
      <div className="mt-5">
        <Fetched query={list} skeleton={<Skeletons />}>
          {({ pages }) => {
            const users = pages.flatMap((page) => page.users);
            const found = pages[0]!.found;
            return (
              <div
                aria-busy={list.isPlaceholderData}
                className={classes(list.isPlaceholderData && 'opacity-60')}
              >
                <p role="status" className="mb-2 text-sm text-quiet">
                  {found.more
                    ? m.users_found_more({ count: counted(found.count) })
                    : m.users_found({ count: counted(found.count) })}
                </p>
                {users.length === 0 ? (
                  <NobodyFound onShowAll={showAll} />
                ) : (
                  <DataTable
                    caption={m.users_directory()}
                    columns={columns}
                    rows={users}
                    dense
                    order={{ by, direction: descending ? 'descending' : 'ascending' }}
                    onOrder={sortBy}
                  />
                )}
              </div>
            );
          }}
        </Fetched>
        <MoreButton query={list} />
      </div>
    </>
  );
}

function NobodyFound({ onShowAll }: { onShowAll: () => void }) {
  return (
    <EmptyState
      title={m.users_none_title()}
      action={
        <Button variant="secondary" onClick={onShowAll}>
          {m.users_clear()}
        </Button>
      }
    >
      {m.users_none_text()}
    </EmptyState>
  );
}

function UserFigures() {
  const figures = useQuery(api.directory.figures.queryOptions());
  return (
    <Fetched query={figures} skeleton={<Skeleton className="h-24" />}>
      {({ users, doctors, pastors, clients }) => (
        <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          <StatCard label={m.users_stat_users()} value={counted(users)} />
          <StatCard label={m.users_stat_doctors()} value={counted(doctors)} />
          <StatCard label={m.users_stat_pastors()} value={counted(pastors)} />
          <StatCard label={m.users_stat_clients()} value={counted(clients)} />
        </dl>
      )}
    </Fetched>
  );
}

function UserFilters({
  search,
  searchInput,
  onSearch,
  role,
  status,
  lacksFactor,
  onChange,
}: {
  search: string;
  searchInput: RefObject<HTMLInputElement | null>;
  onSearch: (search: string) => void;
  role: Role | undefined;
  status: UserStatus | undefined;
  lacksFactor: boolean;
  onChange: (changed: Readonly<Record<string, string | null>>) => void;
}) {
  return (
    <>
      <div className="mt-6 flex flex-wrap items-end gap-3">
        <SearchField
          label={m.users_search()}
          placeholder={m.users_search_hint()}
          value={search}
          maxLength={100}
          input={searchInput}
          onSearch={onSearch}
          className="min-w-0 grow basis-56"
        />
        <WhenHydrated>
          <Field label={m.users_filter_role()} className="grow basis-36">
            <Select value={role ?? ''} onChange={(event) => onChange({ role: event.target.value })}>
              <option value="">{m.users_all_roles()}</option>
              <Options
                of={['client', 'doctor', 'pastor', 'super_admin'] as const}
                text={(one) => roleTexts[one]()}
              />
            </Select>
          </Field>
          <Field label={m.web_status()} className="grow basis-36">
            <Select value={status ?? ''} onChange={(event) => onChange({ status: event.target.value })}>
              <option value="">{m.users_all_statuses()}</option>
              <Options of={userStatuses} text={(one) => statusTexts[one]()} />
            </Select>
          </Field>
        </WhenHydrated>
      </div>
      {lacksFactor && (
        <Notice
          className="mt-5"
          action={
            <Button variant="secondary" size="sm" onClick={() => onChange({ factor: null })}>
              {m.users_clear()}
            </Button>
          }
        >
          {m.users_factor_missing()}
        </Notice>
      )}
    </>
  );
}

function useColumns(): readonly Column<ListedUser, UserOrder>[] {
  const viewer = useViewer();
  const date = (instant: string) => mediumDateText(instant, viewer?.timeZone ?? 'UTC');
  return [
    {
      id: 'name',
      label: m.web_name(),
      sort: 'name',
      className: 'max-lg:-order-2 max-lg:flex-1 max-lg:basis-40 max-lg:pr-11',
      cell: (user) => (
        <span className="flex min-w-0 items-center gap-3">
          <span className="max-lg:hidden">
            <Avatar id={user.id} name={user.name} src={user.photoUrl} size="sm" />
          </span>
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
            <PersonLink id={user.id} className="max-lg:-my-2.5 max-lg:inline-block max-lg:py-2.5">
              {user.name}
            </PersonLink>
            {user.id === viewer?.id && <Badge>{m.users_you()}</Badge>}
          </span>
        </span>
      ),
    },
    {
      id: 'email',
      label: m.users_column_email(),
      className: 'max-lg:basis-full max-lg:pr-10 max-lg:text-sm max-lg:text-quiet',
      cell: ({ email }) => {
        const at = email.lastIndexOf('@');
        return (
          <span className="min-w-0 wrap-anywhere">
            {email.slice(0, at)}
            <wbr />
            {email.slice(at)}
          </span>
        );
      },
    },
    {
      id: 'role',
      label: m.users_column_role(),
      className: 'max-lg:text-sm',
      cell: ({ role }) => roleTexts[role](),
    },
    {
      id: 'status',
      label: m.web_status(),
      className: 'max-lg:-order-1 max-lg:mr-10',
      cell: ({ status, deleteAfter }) => (
        <span className="inline-flex flex-wrap gap-1">
          <StatusBadges status={status} deleteAfter={deleteAfter} />
        </span>
      ),
    },
    {
      id: 'joined',
      label: m.users_column_joined(),
      narrow: 'labeled',
      className: 'max-lg:text-sm',
      sort: 'joined',
      cell: ({ joinedAt }) => <span className="whitespace-nowrap">{date(joinedAt)}</span>,
    },
    {
      id: 'lastActive',
      label: m.users_column_active(),
      narrow: 'labeled',
      className: 'max-lg:text-sm',
      sort: 'lastActive',
      cell: ({ lastActiveAt }) => (
        <span className="whitespace-nowrap">{lastActiveAt ? date(lastActiveAt) : m.users_never()}</span>
      ),
    },
    {
      id: 'actions',
      label: m.web_actions(),
      actions: true,
      className: 'max-lg:top-0! max-lg:right-0!',
      cell: (user) => <UserMenu user={user} />,
    },
  ];
}

function Skeletons() {
  return (
    <div className="grid gap-3">
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-14 max-lg:h-24" />
      ))}
    </div>
  );
}

function oneOf<Value extends string>(values: readonly Value[], given: string | null): Value | undefined {
  return values.find((value) => value === given);
}

/** `-joined` sorts newest first. */
function orderOf(text: string | null): { by: UserOrder; descending: boolean } {
  const by = oneOf(userOrders, text?.replace(/^-/, '') ?? null);
  return by ? { by, descending: text!.startsWith('-') } : { by: 'name', descending: false };
}

function sortText(by: UserOrder, descending: boolean): string | null {
  if (by === 'name' && !descending) return null;
  return descending ? `-${by}` : by;
}
