import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.ts';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';

const BackupsPanel = lazyPart(
  async () => (await import('#/features/backups/ui/backups-panel.tsx')).BackupsPanel,
);

export function BackupsRoom() {
  return (
    <LazyBoundary fallback={<Spinner label={m.backups_loading()} className="py-10" />}>
      <BackupsPanel />
    </LazyBoundary>
  );
}
