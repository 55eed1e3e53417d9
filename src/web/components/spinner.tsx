import { LoaderCircle } from 'lucide-react';
import { classes } from './classes.ts';

export function Spinner({ label, className }: { label: string; className?: string }) {
  return (
    <p role="status" className={classes('flex items-center justify-center gap-3 text-quiet', className)}>
      <LoaderCircle className="size-5 shrink-0 animate-turn text-primary" />
      {label}
    </p>
  );
}
