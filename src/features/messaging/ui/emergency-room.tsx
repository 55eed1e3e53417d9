import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { SectionHeading } from '#/web/components/page.tsx';
import type { OpenedConversation } from '../emergency/contract.ts';
import { EmergencyForm } from './emergency-form.tsx';
import { EmergencyReading } from './emergency-reading.tsx';

export function EmergencyRoom() {
  const api = useApi();
  const queries = useQueryClient();
  const heading = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<string | null>(null);
  const current = useQuery({
    ...api.emergency.current.queryOptions(),
    // Drop the conversation from the cache on unmount.
    gcTime: 0,
  });
  const opened = current.data?.opened ?? null;
  const show = async (next: OpenedConversation | null, note: string | null) => {
    // Cancel requests in flight: their answers may predate this change.
    await queries.cancelQueries({ queryKey: api.emergency.current.queryKey() });
    queries.setQueryData(api.emergency.current.queryKey(), { opened: next });
    setOver(note);
    // The focused element has disappeared.
    heading.current?.focus();
  };
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  const endsAt = opened?.endsAt;
  useEffect(() => {
    if (endsAt === undefined) return;
    const end = () => void latest.current(null, m.messaging_emergency_over());
    const timer = setTimeout(end, Math.max(0, Date.parse(endsAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [endsAt]);

  return (
    <>
      <div ref={heading} tabIndex={-1} className="outline-none">
        <SectionHeading as="h1" title={m.messaging_emergency_title()}>
          {m.messaging_emergency_intro()}
        </SectionHeading>
      </div>
      <div className="mt-6 grid gap-6">
        <Fetched query={current} failure={m.messaging_emergency_load_failed()}>
          {() =>
            opened ? (
              <EmergencyReading
                opened={opened}
                onClosed={() => void show(null, m.messaging_emergency_closed())}
              />
            ) : (
              <>
                {over !== null && <Notice tone="success" title={over} />}
                <EmergencyForm onOpened={(next) => void show(next, null)} />
              </>
            )
          }
        </Fetched>
      </div>
    </>
  );
}
