import { useMutation } from '@tanstack/react-query';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { shortDateText, timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { OpenedConversation } from '../emergency/contract.ts';
import { counterpartName } from './row-texts.ts';

export function EmergencyReading({ opened, onClosed }: { opened: OpenedConversation; onClosed: () => void }) {
  const api = useApi();
  const { id, client, provider, subject, messages, more, endsAt } = opened;
  const close = useMutation({ ...api.emergency.close.mutationOptions(), onSuccess: onClosed });
  const zone = useOwnZone();
  const names = { client: counterpartName(client), provider: counterpartName(provider) };
  const from = {
    client: m.messaging_emergency_client({ name: names.client }),
    provider: m.messaging_emergency_provider({ name: names.provider }),
  };
  const until = timeText(endsAt, zone);
  return (
    <Card as="section" aria-labelledby={`emergency-${id}`} className="max-w-reading">
      <h2 id={`emergency-${id}`} className="text-xl wrap-anywhere">
        {m.messaging_emergency_between(names)}
      </h2>
      <p className="text-quiet wrap-anywhere">{m.messaging_emergency_subject({ subject })}</p>
      <Notice
        className="mt-4"
        title={m.messaging_emergency_until({ time: until })}
        action={
          <Button
            variant="secondary"
            size="sm"
            busy={close.isPending}
            onClick={() => close.mutate({ accessId: id })}
          >
            {m.messaging_emergency_close()}
          </Button>
        }
      />
      {close.isError && (
        <Notice
          tone="destructive"
          className="mt-3"
          title={m.messaging_emergency_close_failed({ time: until })}
        />
      )}
      <ZoneLine timeZone={zone} className="mt-4 text-sm text-quiet" />
      {more && <p className="mt-4 text-sm text-quiet">{m.messaging_emergency_more()}</p>}
      <ol
        aria-label={m.messaging_emergency_messages()}
        className="mt-4 divide-y divide-line border-y border-line"
      >
        {messages.map((message) => (
          <li key={message.seq} className="py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-semibold wrap-anywhere">{from[message.from]}</span>
              <time dateTime={message.sentAt} className="text-sm text-quiet">
                {m.messaging_at({
                  date: shortDateText(message.sentAt, zone),
                  time: timeText(message.sentAt, zone),
                })}
              </time>
            </p>
            {message.text !== '' && (
              <p dir="auto" className="mt-1 whitespace-pre-wrap wrap-anywhere [unicode-bidi:isolate]">
                {message.text}
              </p>
            )}
            {message.files.length > 0 && (
              <p className="mt-1 text-sm text-quiet wrap-anywhere">
                {m.messaging_emergency_files({ names: message.files.join(', ') })}
              </p>
            )}
            {message.text === '' && message.files.length === 0 && (
              <p className="mt-1 text-sm text-quiet">{m.messaging_emergency_gone()}</p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
