import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';
import type { GatedAction } from './auth-required-dialog.tsx';
import { useSession } from './session.tsx';

/** Loaded on demand: most visits never open it. */
interface PromptProps {
  open: boolean;
  action: GatedAction;
  onClose: () => void;
  onSignedIn: () => void;
  onGuest: () => void;
}

/** `asGuest` means continuing without an account, where allowed; `dismissed` runs on cancel. */
type RequireAuth = (
  action: GatedAction,
  continuation: (asGuest: boolean) => void,
  dismissed?: () => void,
) => void;

const AuthRequiredContext = createContext<{ requireAuth: RequireAuth } | null>(null);

export function AuthRequiredProvider({ children }: { children: ReactNode }) {
  const { viewer } = useSession();
  const [Prompt, setPrompt] = useState<ComponentType<PromptProps> | null>(null);
  const [action, setAction] = useState<GatedAction>('booking');
  const [open, setOpen] = useState(false);
  const waiting = useRef<{ goOn: (asGuest: boolean) => void; dismissed?: () => void } | null>(null);
  const signedIn = viewer !== null;

  const requireAuth = useCallback<RequireAuth>(
    (wanted, goOn, dismissed) => {
      if (signedIn) {
        goOn(false);
        return;
      }
      waiting.current = { goOn, dismissed };
      setAction(wanted);
      setOpen(true);
      import('./auth-required-dialog.tsx').then(
        ({ AuthRequiredDialog }) => setPrompt(() => AuthRequiredDialog),
        () => {
          setOpen(false);
          toast.failed(m.accounts_error_title(), m.web_unreachable());
        },
      );
    },
    [signedIn],
  );

  const end = () => {
    const stored = waiting.current;
    waiting.current = null;
    setOpen(false);
    return stored;
  };

  // Perhaps in another tab.
  if (signedIn && open) setOpen(false);
  useEffect(() => {
    if (!signedIn) return;
    const stored = waiting.current;
    waiting.current = null;
    stored?.goOn(false);
  }, [signedIn]);

  return (
    <AuthRequiredContext value={useMemo(() => ({ requireAuth }), [requireAuth])}>
      {children}
      {Prompt && (
        <Prompt
          open={open}
          action={action}
          onClose={() => end()?.dismissed?.()}
          onSignedIn={() => end()?.goOn(false)}
          onGuest={() => end()?.goOn(true)}
        />
      )}
    </AuthRequiredContext>
  );
}

/** Continues at once, or after sign-in. */
export function useAuthRequired(): { requireAuth: RequireAuth } {
  return use(AuthRequiredContext)!;
}
