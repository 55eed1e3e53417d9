import { ArrowLeft, LayoutDashboard, LogOut } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { Container } from '#/web/components/page.tsx';

export function AdminHeader() {
  const { viewer, signOut } = useSession();
  const navigate = useNavigate();
  const leave = async () => {
    if (await signOut()) await navigate('/home');
  };
  return (
    <header className="@container sticky top-0 z-30 border-b border-line bg-paper">
      <Container className="flex h-16 max-w-none! items-center gap-1 sm:gap-2 @max-[18rem]:gap-0 @max-[18rem]:px-2! @max-[18rem]:*:px-1!">
        <ButtonLink to="/home" variant="quiet" size="sm" className="-ml-3.5 @max-[18rem]:ml-0">
          <ArrowLeft />
          <span className="max-sm:sr-only">{m.web_back_home()}</span>
        </ButtonLink>
        <HelpNow brief className="ml-auto max-sm:[&>svg]:hidden" />
        <ButtonLink to="/admin/settings" variant="quiet" size="sm">
          <LayoutDashboard />
          <span className="max-sm:sr-only">{m.admin_title()}</span>
        </ButtonLink>
        {viewer && (
          <Button variant="secondary" size="sm" onClick={() => void leave()}>
            <LogOut className="max-sm:hidden @max-[18rem]:block" />
            <span className="@max-[18rem]:sr-only">{m.home_admin_logout()}</span>
          </Button>
        )}
      </Container>
    </header>
  );
}
