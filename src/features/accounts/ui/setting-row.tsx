import { useId, type ComponentProps, type ReactNode, type Ref } from 'react';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';

export function SettingRow({
  title,
  badge,
  text,
  action,
  heading,
  children,
}: {
  title: string;
  badge?: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
  heading?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <h3
          id={id}
          ref={heading}
          tabIndex={heading ? -1 : undefined}
          className="font-sans text-base font-medium"
        >
          {title}
        </h3>
        {badge}
      </div>
      {text && <p className="col-start-1 max-w-reading text-sm text-quiet max-sm:col-span-2">{text}</p>}
      <div className={classes('col-start-2 row-start-1', Boolean(text) && 'sm:row-end-3')}>{action}</div>
      <div className="col-span-2 mt-1 empty:hidden">{children}</div>
    </section>
  );
}

export function RowAction(props: ComponentProps<typeof Button>) {
  return <Button variant="secondary" size="sm" {...props} />;
}
