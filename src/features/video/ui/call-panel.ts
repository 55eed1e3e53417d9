import { useRef, useState } from 'react';

export type CallPanel = 'chat' | 'people';

/** The open side panel, and the number of received messages that it hasn't shown. Closing returns focus to its button. */
export function useCallPanel(received: number) {
  const chatButton = useRef<HTMLButtonElement>(null);
  const peopleButton = useRef<HTMLButtonElement>(null);
  const [panel, setPanel] = useState<CallPanel | null>(null);
  const [read, setRead] = useState(0);
  if (panel === 'chat' && read !== received) setRead(received);
  return {
    panel,
    unread: panel === 'chat' ? 0 : received - read,
    chatButton,
    peopleButton,
    toggle: (which: CallPanel) => setPanel((open) => (open === which ? null : which)),
    close: () => {
      (panel === 'chat' ? chatButton : peopleButton).current?.focus();
      setPanel(null);
    },
  };
}
