import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import type { MailChoice } from '../contract.ts';

const texts = {
  devotional: {
    ask: m.unsubscribe_ask_devotional,
    stopped: m.unsubscribe_stopped_devotional,
    resumed: m.unsubscribe_resumed_devotional,
  },
  community: {
    ask: m.unsubscribe_ask_community,
    stopped: m.unsubscribe_stopped_community,
    resumed: m.unsubscribe_resumed_community,
  },
};

/** Keeps the API client out of public pages. */
async function saveChoice(token: string, on: boolean): Promise<MailChoice> {
  const { api } = await import('#/web/api.tsx');
  return api.mailChoice.set.call({ token, on });
}

export function UnsubscribeCard({ token, choice }: { token: string; choice: MailChoice | null }) {
  const [now, setNow] = useState(choice);
  const [changes, setChanges] = useState(0);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  // Move focus so screen readers announce the change.
  useEffect(() => {
    if (changes > 0) heading.current?.focus();
  }, [changes]);

  if (!now) {
    return (
      <Card className="mx-auto max-w-xl">
        <h1 className="text-2xl">{m.unsubscribe_invalid()}</h1>
        <p className="mt-2 text-quiet">{m.unsubscribe_invalid_text()}</p>
        <ButtonLink to="/profile?tab=settings" className="mt-5">
          {m.unsubscribe_settings()}
        </ButtonLink>
      </Card>
    );
  }

  const set = async (wanted: boolean) => {
    setBusy(true);
    setFailed(false);
    try {
      setNow(await saveChoice(token, wanted));
      setChanges((before) => before + 1);
    } catch {
      setFailed(true);
    } finally {
      setBusy(false);
    }
  };
  const { ask, stopped, resumed } = texts[now.kind];
  const [title, text] = now.on
    ? changes > 0
      ? [resumed(), m.unsubscribe_resumed_text()]
      : [ask(), m.unsubscribe_ask_text()]
    : [stopped(), m.unsubscribe_ask_text()];
  return (
    <Card className="mx-auto max-w-xl">
      <h1 ref={heading} tabIndex={-1} className="text-2xl">
        {title}
      </h1>
      <p className="mt-2 text-quiet">{text}</p>
      <FailureAlert
        title={m.web_save_failed()}
        className="mt-4"
        text={failed && m.unsubscribe_failed_text()}
      />
      <div className="mt-5 flex flex-wrap gap-3 max-sm:*:w-full">
        <Button variant={now.on ? 'primary' : 'secondary'} busy={busy} onClick={() => void set(!now.on)}>
          {now.on ? m.unsubscribe_stop() : m.unsubscribe_again()}
        </Button>
        <ButtonLink to="/" variant="quiet">
          {m.web_back_home()}
        </ButtonLink>
      </div>
    </Card>
  );
}
