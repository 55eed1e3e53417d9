import { useId, type ComponentProps, type ReactNode } from 'react';
import { classes } from './classes.ts';

const cardLook = 'rounded-card border border-line bg-card p-5 shadow-soft max-xs:p-3 sm:p-6';

export function Card({
  as: Element = 'div',
  className,
  ...rest
}: ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' | 'li' | 'ul' | 'form' }) {
  const Tag = Element as 'div';
  return <Tag {...rest} className={classes(cardLook, className)} />;
}

/** Part of a page, named by its heading. */
export function Section({
  card = false,
  level: Heading = 'h2',
  title,
  titleId,
  titleClassName = 'text-xl',
  focusable = false,
  className,
  children,
  ...rest
}: Omit<ComponentProps<'section'>, 'title'> & {
  card?: boolean;
  level?: 'h2' | 'h3';
  title: ReactNode;
  /** Only for a heading that something else names. */
  titleId?: string;
  titleClassName?: string;
  /** Whether scripts move focus to the heading. */
  focusable?: boolean;
}) {
  const ownId = useId();
  const id = titleId ?? ownId;
  return (
    <section {...rest} aria-labelledby={id} className={classes(card && cardLook, className) || undefined}>
      <Heading
        id={id}
        tabIndex={focusable ? -1 : undefined}
        className={classes(focusable && 'rounded-control', titleClassName)}
      >
        {title}
      </Heading>
      {children}
    </section>
  );
}

/** Place it in a `<dl>`. */
export function StatCard({
  label,
  value,
  note,
  icon,
}: {
  label: ReactNode;
  value: ReactNode;
  note?: ReactNode;
  icon?: ReactNode;
}) {
  return (
    <div className="relative rounded-card border border-line bg-card px-4 py-3 shadow-soft sm:p-5">
      <dt className={classes('text-sm text-quiet', Boolean(icon) && 'sm:pr-12')}>
        {label}
        {icon && <span className="absolute top-4 right-4 max-sm:hidden">{icon}</span>}
      </dt>
      <dd className="font-serif text-xl font-semibold tabular-nums sm:text-2xl">{value}</dd>
      {note && <dd className="text-sm text-quiet">{note}</dd>}
    </div>
  );
}
