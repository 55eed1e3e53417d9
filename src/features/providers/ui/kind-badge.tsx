import { BadgeCheck, ChevronDown, Church } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { classes } from '#/web/components/classes.ts';
import { VisuallyHidden } from '#/web/components/page.tsx';
import type { Specialist } from '../contract.ts';
import { confidentialityText } from '../rules.ts';
import { kindText } from '../practice/rules.ts';

export function KindBadge({ kind }: { kind: Specialist['kind'] }) {
  return (
    <Badge tone="primary">
      {kind === 'doctor' ? <BadgeCheck aria-hidden /> : <Church aria-hidden />}
      {kindText(kind)}
    </Badge>
  );
}

export function KindDisclosure({
  specialist: { kind, name },
  open = false,
  className,
}: {
  specialist: Pick<Specialist, 'kind' | 'name'>;
  open?: boolean;
  className?: string;
}) {
  return (
    <details open={open} className={classes('group/kind', className)}>
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control py-1.5 [&::-webkit-details-marker]:hidden">
        <KindBadge kind={kind} />
        <span className="inline-flex items-center gap-1 text-sm text-quiet underline decoration-line underline-offset-4 hover:text-ink">
          {m.therapists_confidentiality()}
          <VisuallyHidden> {m.therapists_confidentiality_of({ name })}</VisuallyHidden>
          <ChevronDown
            aria-hidden
            className="size-4 shrink-0 transition-transform duration-150 group-open/kind:rotate-180"
          />
        </span>
      </summary>
      <p className="max-w-reading pb-1 text-sm text-quiet">{confidentialityText(kind)}</p>
    </details>
  );
}
