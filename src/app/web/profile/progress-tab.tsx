import type { Viewer } from '#/features/accounts/contract.ts';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { useGrowthNews } from '#/features/growth/ui/growth-actions.ts';
import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import { Progress } from '../growth/progress.tsx';

export function ProgressTab({ viewer }: { viewer: Viewer }) {
  const { flags } = useSite();
  if (!flags.includes('wellness_tracking')) return <Notice>{m.growth_progress_off()}</Notice>;
  return (
    <>
      <GrowthNews />
      <Progress key={viewer.id} />
    </>
  );
}

/** Announces live changes to screen readers. */
function GrowthNews() {
  const news = useGrowthNews();
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {news}
    </p>
  );
}
