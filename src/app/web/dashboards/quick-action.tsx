import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Hue } from '#/web/components/hues.ts';
import { IconTile } from '#/web/components/icon-tile.tsx';

const look =
  'flex w-full items-center gap-4 rounded-card border border-line bg-card p-4 text-left shadow-soft transition-colors duration-150 hover:bg-sunken';

/** One of a dashboard's quick actions: leads to a page, or does something at once. */
export function QuickAction({
  icon,
  hue,
  title,
  text,
  ...what
}: { icon: ReactNode; hue: Hue; title: string; text: ReactNode } & (
  { to: string } | { onPress: () => void }
)) {
  const face = (
    <>
      <IconTile hue={hue} size="lg">
        {icon}
      </IconTile>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{title}</span>
        <span className="block text-sm text-quiet">{text}</span>
      </span>
      <ChevronRight className="size-5 shrink-0 text-quiet" />
    </>
  );
  if ('to' in what)
    return (
      <Link to={what.to} className={look}>
        {face}
      </Link>
    );
  return (
    <button type="button" onClick={what.onPress} className={look}>
      {face}
    </button>
  );
}
