import { formatInstant } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { classes } from '#/web/components/classes.ts';
import { type Column, DataTable } from '#/web/components/data-table.tsx';
import { EmailText } from '#/web/components/email-text.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { mediumDateText } from '#/web/times.ts';
import { categoryNames } from '../actions/rules.ts';
import type { LogEntry } from '../contract.ts';
import { actionText, detailsText } from '../log/rules.ts';
import { ActorName, EntryDetails } from './entry-links.tsx';

const columnsIn = (zone: string): readonly Column<LogEntry>[] => [
  {
    id: 'at',
    label: m.audit_column_timestamp(),
    className: 'max-lg:order-2 max-lg:basis-full max-lg:text-quiet',
    cell: ({ at }) => (
      <time dateTime={at} className="whitespace-nowrap tabular-nums lg:font-medium">
        {mediumDateText(at, zone)}
        <span className="lg:hidden">, </span>
        <span className="lg:block">
          {/* Seconds, because order matters. */}
          {formatInstant(at, zone, { hour: 'numeric', minute: '2-digit', second: '2-digit' })}
        </span>
      </time>
    ),
  },
  {
    id: 'user',
    label: m.audit_column_user(),
    className: 'lg:min-w-40',
    cell: ({ actor }) => (
      <span className="min-w-0 break-words">
        <ActorName actor={actor} />
        {actor.email && ' '}
        {actor.email && <Address email={actor.email} folded={actor.name !== null} />}
      </span>
    ),
  },
  {
    id: 'action',
    label: m.audit_column_action(),
    className: 'max-lg:text-quiet',
    cell: ({ action }) => actionText(action),
  },
  {
    id: 'category',
    label: m.web_category(),
    narrow: 'folded',
    className: 'max-lg:order-3',
    cell: ({ category }) => categoryNames[category](),
  },
  {
    id: 'details',
    label: m.audit_column_details(),
    narrow: 'folded',
    className: 'max-lg:order-3',
    cell: ({ actor, subject, details }) => {
      const told = { subject: subject?.id === actor.id ? null : subject, details };
      return (
        <span className="min-w-0 break-words">{detailsText(told) ? <EntryDetails entry={told} /> : '–'}</span>
      );
    },
  },
  {
    id: 'address',
    label: m.audit_column_address(),
    narrow: 'folded',
    // Fits an IPv4 address; IPv6 wraps.
    className: 'lg:min-w-28 max-lg:order-3',
    cell: ({ address }) => <span className="break-all tabular-nums">{address ?? '–'}</span>,
  },
  {
    id: 'status',
    label: m.web_status(),
    cell: ({ success }) =>
      success ? (
        <Badge tone="sage" className="max-lg:sr-only">
          {m.audit_status_success()}
        </Badge>
      ) : (
        <Badge tone="clay">{m.audit_failed()}</Badge>
      ),
  },
];

export function Entries({ entries }: { entries: readonly LogEntry[] }) {
  return (
    <DataTable
      caption={m.audit_recent()}
      columns={columnsIn(useOwnZone())}
      rows={entries}
      dense
      className="text-sm"
    />
  );
}

function Address({ email, folded }: { email: string; folded: boolean }) {
  return (
    <span
      className={classes(
        'text-sm text-quiet lg:block',
        folded && 'max-lg:not-group-has-aria-expanded/row:hidden',
      )}
    >
      <EmailText email={email} />
    </span>
  );
}
