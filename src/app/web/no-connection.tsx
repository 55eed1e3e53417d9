import { useLocation, useNavigate, useNavigation } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { useWaitingForNetwork } from '#/web/network.ts';

export function NoConnection() {
  const leaving = useNavigation().state === 'loading';
  const waiting = useWaitingForNetwork();
  const { hash } = useLocation();
  const navigate = useNavigate();
  // Hash navigation cancels the pending one.
  const stay = () => void navigate({ hash: hash || '#content' }, { replace: true, preventScrollReset: true });
  return (
    <div
      role="status"
      data-bar={leaving && waiting ? '' : undefined}
      className="pointer-events-none fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-60 p-3 lg:bottom-0"
    >
      {leaving && waiting && (
        <div className="pointer-events-auto mx-auto flex max-w-lg items-center gap-x-3 rounded-card border border-line bg-card py-1.5 pr-1.5 pl-4 shadow-soft">
          <p className="flex-1">{m.web_no_connection()}</p>
          <Button variant="quiet" size="sm" onClick={stay}>
            {m.web_no_connection_stay()}
          </Button>
        </div>
      )}
    </div>
  );
}
