/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- some browsers forget what a table's elements are once they aren't drawn as one */
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/** The first column identifies the row. */
export type Column<Row, Sort extends string = never> = {
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  sort?: Sort;
  numeric?: boolean;
  actions?: boolean;
  className?: string;
};

export interface Order<Sort extends string> {
  by: Sort;
  direction: 'ascending' | 'descending';
}

/**
 * A table on wide screens; on narrow ones, cards with labeled values and a row of sort buttons. Keeps table semantics
 * in both.
 */
export function DataTable<Row, Sort extends string = never>({
  caption,
  columns,
  rows,
  rowKey,
  order,
  onOrder,
  className,
}: {
  caption: string;
  columns: readonly Column<Row, Sort>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  order?: Order<Sort>;
  onOrder?: (by: Sort) => void;
  className?: string;
}) {
  return (
    <table role="table" className={classes('block w-full text-left lg:table', className)}>
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="block lg:table-header-group">
        <tr role="row" className="flex flex-wrap gap-x-1 lg:table-row lg:border-b lg:border-line">
          {columns.map((column) => (
            <Heading key={column.id} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-3 max-lg:mt-2 lg:table-row-group">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            role="row"
            className={classes(
              'relative grid gap-1 rounded-card border border-line bg-card p-4',
              'lg:table-row lg:rounded-none lg:border-0 lg:border-b lg:bg-transparent',
            )}
          >
            {columns.map((column, index) => (
              <Cell key={column.id} column={column} row={row} first={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Heading<Row, Sort extends string>({
  column: { label, sort, numeric, actions },
  order,
  onOrder,
}: {
  column: Column<Row, Sort>;
  order: Order<Sort> | undefined;
  onOrder: ((by: Sort) => void) | undefined;
}) {
  const direction = sort !== undefined && order?.by === sort ? order.direction : undefined;
  const Arrow = direction ? (direction === 'ascending' ? ArrowUp : ArrowDown) : ArrowUpDown;
  return (
    <th
      scope="col"
      role="columnheader"
      aria-sort={sort === undefined ? undefined : (direction ?? 'none')}
      className={classes(
        'text-sm font-semibold text-quiet lg:py-1 lg:pr-4',
        sort === undefined && 'max-lg:sr-only',
        numeric && 'lg:text-right',
      )}
    >
      {sort !== undefined && onOrder ? (
        <button
          type="button"
          onClick={() => onOrder(sort)}
          className={classes(
            'inline-flex min-h-11 items-center gap-1.5 rounded-control font-semibold whitespace-nowrap hover:text-ink max-lg:px-2',
            direction && 'text-ink',
          )}
        >
          {label}
          <Arrow aria-hidden className="size-4 shrink-0" />
        </button>
      ) : (
        <span className={classes(actions && 'sr-only')}>{label}</span>
      )}
    </th>
  );
}

function Cell<Row, Sort extends string>({
  column: { label, cell, numeric, actions, className },
  row,
  first,
}: {
  column: Column<Row, Sort>;
  row: Row;
  first: boolean;
}) {
  if (first)
    return (
      <th
        scope="row"
        role="rowheader"
        className={classes('pb-1 font-normal max-lg:pr-12 lg:py-3 lg:pr-4 lg:align-middle', className)}
      >
        {cell(row)}
      </th>
    );
  return (
    <td
      role="cell"
      className={classes(
        'min-w-0 lg:py-3 lg:pr-4 lg:align-middle lg:last:pr-0',
        actions
          ? 'max-lg:absolute max-lg:top-3 max-lg:right-2 lg:w-px'
          : 'max-lg:flex max-lg:items-baseline max-lg:gap-x-3',
        numeric && 'tabular-nums lg:text-right',
        className,
      )}
    >
      {!actions && (
        // Screen readers already get the column heading.
        <span aria-hidden className="w-24 shrink-0 text-sm text-quiet lg:hidden">
          {label}
        </span>
      )}
      {cell(row)}
    </td>
  );
}
