import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { FreshQueryClient } from './query-client.ts';

/** A query whose answers are given one by one, in the order of its requests. */
function watched(client: FreshQueryClient) {
  const requests: PromiseWithResolvers<string>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['sessions', 'mine'],
    queryFn: () => {
      requests.push(Promise.withResolvers<string>());
      return requests.at(-1)!.promise;
    },
  });
  return { requests, observer };
}

test('repeats a first load that a change overtakes', async () => {
  const client = new FreshQueryClient();
  const { requests, observer } = watched(client);
  const stop = observer.subscribe(() => undefined);
  const invalidated = client.invalidateQueries({ queryKey: ['sessions'] });
  requests[0]!.resolve('over');
  await expect.poll(() => requests.length).toBe(2);
  requests[1]!.resolve('missed');
  await invalidated;
  expect(observer.getCurrentResult().data).toBe('missed');
  stop();
});

test('loads once more, not twice, what was there already', async () => {
  const client = new FreshQueryClient();
  const { requests, observer } = watched(client);
  const stop = observer.subscribe(() => undefined);
  requests[0]!.resolve('over');
  await expect.poll(() => observer.getCurrentResult().data).toBe('over');
  const invalidated = client.invalidateQueries({ queryKey: ['sessions'] });
  requests[1]!.resolve('missed');
  await invalidated;
  expect(requests).toHaveLength(2);
  stop();
});
