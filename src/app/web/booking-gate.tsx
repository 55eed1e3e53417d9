import type { ReactNode } from 'react';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { BookingProvider } from '#/features/appointments/ui/booking-launcher.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';

/** Lazy: few people who press Book lack permission. */
const PermissionGate = lazyPart(
  async () => (await import('#/features/access/ui/permission-gate.tsx')).PermissionGate,
);

const loadDialog = async () => (await import('./booking-dialog.tsx')).BookingDialog;

/** Handles every "Book" button: sign-in first, then the booking dialog or the permission gate. */
export function BookingGate({ children }: { children: ReactNode }) {
  const viewer = useViewer();
  const { requireAuth } = useAuthRequired();
  const role = viewer?.role ?? null;
  return (
    <BookingProvider
      role={role}
      requireAuth={requireAuth}
      load={loadDialog}
      refusal={
        <PermissionGate role={role} capability="book_appointments">
          {null}
        </PermissionGate>
      }
    >
      {children}
    </BookingProvider>
  );
}
