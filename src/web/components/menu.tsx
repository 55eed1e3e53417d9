import * as Radix from '@radix-ui/react-dropdown-menu';
import { useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';

export type MenuItem = {
  label: string;
  icon?: ReactNode;
  tone?: 'destructive';
  disabled?: boolean;
} & ({ onSelect: () => void } | { href: string });

export function Menu({ trigger, items }: { trigger: ReactElement; items: readonly MenuItem[] }) {
  const chosen = useRef<MenuItem | null>(null);
  return (
    // Non-modal and without a portal: the page stays accessible, and the menu stays in its landmark.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        align="end"
        sideOffset={6}
        collisionPadding={12}
        // Runs the action after focus returns to the trigger, so a dialog it opens restores focus there.
        onCloseAutoFocus={() => {
          const item = chosen.current;
          chosen.current = null;
          if (item && 'onSelect' in item) queueMicrotask(item.onSelect);
        }}
        className="z-50 min-w-[min(13rem,100vw-1.5rem)] max-w-[calc(100vw-1.5rem)] animate-fade rounded-card border border-line bg-card p-1.5 text-ink shadow-soft"
      >
        {items.map((item) => (
          <Radix.Item
            key={item.label}
            asChild={'href' in item}
            disabled={item.disabled}
            onSelect={() => {
              chosen.current = item;
            }}
            className={classes(
              'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 wrap-anywhere outline-none select-none [&_svg]:size-5 [&_svg]:shrink-0',
              'data-disabled:cursor-not-allowed data-disabled:text-quiet',
              item.tone === 'destructive'
                ? 'text-clay data-highlighted:bg-clay-soft'
                : 'data-highlighted:bg-primary-soft [&_svg]:text-quiet',
            )}
          >
            {'href' in item ? (
              <a href={item.href}>
                {item.icon}
                {item.label}
              </a>
            ) : (
              <>
                {item.icon}
                {item.label}
              </>
            )}
          </Radix.Item>
        ))}
      </Radix.Content>
    </Radix.Root>
  );
}
