import type { Specialist } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import type { BookForm } from './book-form.ts';
import { useKeptDialog } from './kept-dialog.ts';
import type { BookingParts } from './parts.ts';

/** Opens the waiting list for a specialist whose free times don't suit. */
export function WaitInstead({
  form: { type, types, durationMinutes, times, zone },
  parts: { WaitDialog },
  specialist,
  serviceId,
}: {
  form: BookForm;
  parts: BookingParts;
  specialist: Specialist;
  serviceId: string;
}) {
  const wait = useKeptDialog();
  if (types.length === 0) return null;
  const first = type ?? types[0]!;
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-x-2">
      <span className="text-quiet">{m.waitlist_none_suits()}</span>
      <Button variant="quiet" size="sm" onClick={wait.show}>
        {m.waitlist_tell_me()}
      </Button>
      {wait.mounted && (
        <LazyBoundary>
          <WaitDialog
            key={`${serviceId} ${first}`}
            {...wait.props}
            wanted={{
              provider: specialist,
              serviceId,
              durationMinutes,
              types: [first, ...types.filter((one) => one !== first)],
              appointment: null,
            }}
            timeZone={zone}
            onFree={times.chooseStart}
          />
        </LazyBoundary>
      )}
    </p>
  );
}
