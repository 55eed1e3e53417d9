import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import type { CallEvent } from './call-events.ts';
import { usePhoneRequest } from './call-status.ts';

test('shows a request to continue by phone until it is dismissed, and then the next', () => {
  const request = (name: string): CallEvent => ({ kind: 'phone', name });
  const container = document.createElement('div');
  const root = createRoot(container);
  const Request = ({ event }: { event: CallEvent }) => {
    const [name, dismiss] = usePhoneRequest(event);
    return (
      <button type="button" onClick={dismiss}>
        {name}
      </button>
    );
  };
  const show = (event: CallEvent) => flushSync(() => root.render(<Request event={event} />));
  const dismiss = () => flushSync(() => container.querySelector('button')!.click());
  const name = () => container.textContent;

  const naomi = request('Naomi');
  show(naomi);
  expect(name()).toBe('Naomi');
  show({ kind: 'joined', name: 'Ruth' });
  expect(name()).toBe('Naomi');
  dismiss();
  expect(name()).toBe('');

  show(naomi);
  expect(name()).toBe('');
  show(request('Naomi'));
  expect(name()).toBe('Naomi');
  dismiss();
  expect(name()).toBe('');
  root.unmount();
});
