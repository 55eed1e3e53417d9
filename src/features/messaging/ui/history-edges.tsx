import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Spinner } from '#/web/components/spinner.tsx';

/** Above the first loaded message: the beginning of the conversation, or the state of loading earlier ones. */
export function HistoryStart({
  name,
  begins,
  failed,
  onRetry,
}: {
  name: string;
  begins: boolean;
  failed: boolean;
  onRetry: () => void;
}) {
  if (begins) {
    return (
      <p className="pt-6 pb-2 text-center text-sm text-quiet">
        {m.messaging_begin({ name })}
        <span className="block">{m.messaging_begin_private()}</span>
      </p>
    );
  }
  return (
    <div className="grid min-h-16 place-items-center pt-4">
      {failed ? (
        <LoadFailed onRetry={onRetry}>{m.messaging_older_failed()}</LoadFailed>
      ) : (
        <Spinner label={m.web_loading()} />
      )}
    </div>
  );
}

/** Below the last loaded message: the state of loading later ones. */
export function HistoryEnd({
  loading,
  failed,
  onRetry,
}: {
  loading: boolean;
  failed: boolean;
  onRetry: () => void;
}) {
  return (
    <>
      {loading && <Spinner label={m.web_loading()} className="py-4" />}
      {failed && <LoadFailed onRetry={onRetry}>{m.messaging_newer_failed()}</LoadFailed>}
    </>
  );
}

function LoadFailed({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 py-2 text-sm text-clay">
      {children}
      <Button variant="secondary" size="sm" onClick={onRetry}>
        {m.web_try_again()}
      </Button>
    </p>
  );
}
