/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- some browsers forget what a table's elements are once they aren't drawn as one */
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

/** The first column identifies the row. */
export type Column<Row, Sort extends string = never> = {
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  sort?: Sort;
  numeric?: boolean;
  actions?: boolean;
  /** In dense rows on narrow screens: the label stays, or the value waits behind a button. */
  narrow?: 'labeled' | 'folded';
  className?: string;
};

export interface Order<Sort extends string> {
  by: Sort;
  direction: 'ascending' | 'descending';
}

/**
 * A table on wide screens; on narrow ones, cards with labeled values and a row of sort buttons. `dense` shows lines of
 * values instead of cards there. Keeps table semantics in both.
 */
export function DataTable<Row extends { id: string }, Sort extends string = never>({
  caption,
  columns,
  rows,
  order,
  onOrder,
  dense = false,
  className,
}: {
  caption: string;
  columns: readonly Column<Row, Sort>[];
  rows: readonly Row[];
  order?: Order<Sort>;
  onOrder?: (by: Sort) => void;
  dense?: boolean;
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
      <tbody
        role="rowgroup"
        className={classes('grid max-lg:mt-2 lg:table-row-group', dense ? 'border-t border-line' : 'gap-3')}
      >
        {rows.map((row) =>
          dense ? (
            <DenseRow key={row.id} columns={columns} row={row} />
          ) : (
            <tr
              key={row.id}
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
          ),
        )}
      </tbody>
    </table>
  );
}

function DenseRow<Row, Sort extends string>({
  columns,
  row,
}: {
  columns: readonly Column<Row, Sort>[];
  row: Row;
}) {
  const [open, setOpen] = useState(false);
  const folds = columns.some(({ narrow }) => narrow === 'folded');
  return (
    <tr
      role="row"
      className={classes(
        'group/row relative flex min-h-12 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line py-1.5 lg:table-row',
        folds && 'pr-12',
      )}
    >
      {columns.map((column, index) => (
        <Cell
          key={column.id}
          column={{
            ...column,
            className: classes(
              column.className,
              column.narrow === 'folded' && (open ? 'max-lg:basis-full' : 'max-lg:hidden'),
            ),
          }}
          row={row}
          first={index === 0}
          dense
          bare={!column.narrow}
          inline={column.narrow === 'labeled'}
          fold={
            index === 0 && folds ? (
              <button
                type="button"
                aria-expanded={open}
                aria-label={m.web_row_details()}
                onClick={() => setOpen(!open)}
                className="absolute top-0.5 right-0 grid size-11 place-items-center rounded-control text-quiet hover:bg-sunken hover:text-ink lg:hidden"
              >
                <ChevronDown aria-hidden className={classes('size-5', open && 'rotate-180')} />
              </button>
            ) : undefined
          }
        />
      ))}
    </tr>
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
  dense = false,
  bare = false,
  inline = false,
  fold,
}: {
  column: Column<Row, Sort>;
  row: Row;
  first: boolean;
  dense?: boolean;
  /** Without its label on narrow screens. */
  bare?: boolean;
  /** Right after its label on narrow screens. */
  inline?: boolean;
  fold?: ReactNode;
}) {
  if (first)
    return (
      <th
        scope="row"
        role="rowheader"
        className={classes(
          'font-normal lg:pr-4 lg:align-middle',
          dense ? 'lg:py-1.5' : 'lg:py-3',
          !bare && 'pb-1 max-lg:pr-12',
          className,
        )}
      >
        {cell(row)}
        {fold}
      </th>
    );
  return (
    <td
      role="cell"
      className={classes(
        'min-w-0 lg:pr-4 lg:align-middle lg:last:pr-0',
        dense ? 'lg:py-1.5' : 'lg:py-3',
        actions
          ? 'max-lg:absolute max-lg:top-3 max-lg:right-2 lg:w-px'
          : classes(
              'max-lg:flex max-lg:items-baseline max-xs:flex-wrap',
              inline ? 'max-lg:gap-x-1' : 'max-lg:gap-x-3',
            ),
        numeric && 'tabular-nums lg:text-right',
        className,
      )}
    >
      {!actions && !bare && (
        // Screen readers already get the column heading.
        <span aria-hidden className={classes('shrink-0 text-sm text-quiet lg:hidden', !inline && 'w-24')}>
          {label}
        </span>
      )}
      {cell(row)}
    </td>
  );
}
