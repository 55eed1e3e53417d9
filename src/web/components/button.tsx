import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { classes } from './classes.ts';

type ButtonStyle = {
  /** `primary`: the screen's main action; `destructive`: loses data. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'destructive';
  /**
   * All sizes are at least 44 px high; `icon` is square and needs an aria-label; `compact` shows only its icon on
   * phones, with its label in a `span`.
   */
  size?: 'sm' | 'md' | 'lg' | 'icon' | 'compact';
  /** The button's subject, for screen readers to distinguish buttons with the same label. */
  about?: string;
};

const variants = {
  primary: 'border-transparent bg-primary text-on-primary shadow-soft hover:bg-primary-strong',
  secondary: 'border-control bg-card text-ink hover:bg-sunken',
  quiet: 'border-transparent text-primary hover:bg-primary-soft hover:text-primary-strong',
  destructive: 'border-transparent bg-clay text-on-clay hover:bg-clay-strong',
};

const sizes = {
  sm: 'min-h-11 px-3.5 py-1.5 text-sm',
  md: 'min-h-11 px-5 py-2 text-base',
  lg: 'min-h-13 px-7 py-2.5 text-lg',
  icon: 'size-11 shrink-0',
  compact:
    'min-h-11 px-3.5 py-1.5 text-sm max-sm:size-11 max-sm:shrink-0 max-sm:px-0 max-sm:[&>span]:sr-only max-sm:[&_svg]:size-5',
};

function lookOf(
  { variant = 'primary', size = 'md' }: Omit<ButtonStyle, 'about'>,
  className?: string,
): string {
  return classes(
    'inline-flex items-center justify-center gap-2 rounded-control border text-center font-semibold',
    'transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress',
    '[&_svg]:size-[1.15em] [&_svg]:shrink-0',
    size === 'icon' && '[&_svg]:size-5',
    variants[variant],
    sizes[size],
    className,
  );
}

function labelOf(children: ReactNode, about?: string): ReactNode {
  if (!about) return children;
  return (
    <span>
      {children}
      <span className="sr-only"> {about}</span>
    </span>
  );
}

/** While `busy`, ignores clicks but keeps focus, unlike a disabled button. */
export function Button({
  variant,
  size,
  busy = false,
  busyLabel,
  about,
  className,
  children,
  onClick,
  type,
  ...rest
}: Omit<ComponentProps<'button'>, 'about'> &
  ButtonStyle & {
    busy?: boolean;
    /** Replaces children and spinner while busy. */
    busyLabel?: ReactNode;
  }) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Also Enter, which clicks this button.
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={lookOf({ variant, size }, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy && !busyLabel && <LoaderCircle className="animate-turn" />}
      {busy && busyLabel ? busyLabel : labelOf(children, about)}
    </button>
  );
}

export function ButtonLink({
  variant,
  size,
  about,
  className,
  children,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'about'> & ButtonStyle) {
  return (
    <Link {...rest} className={lookOf({ variant, size }, classes('no-underline', className))}>
      {labelOf(children, about)}
    </Link>
  );
}
