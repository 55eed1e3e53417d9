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

test('repeats a first load if a change arrives before it', async () => {
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

test('repeats a first load once for several changes', async () => {
  const client = new FreshQueryClient();
  const { requests, observer } = watched(client);
  const stop = observer.subscribe(() => undefined);
  const changes = [1, 2, 3].map(() => client.invalidateQueries({ queryKey: ['sessions'] }));
  requests[0]!.resolve('over');
  await expect.poll(() => requests.length).toBe(2);
  requests[1]!.resolve('missed');
  await Promise.all(changes);
  expect(requests).toHaveLength(2);
  stop();
});

test('doesn’t repeat a refused first load', async () => {
  const client = new FreshQueryClient({ defaultOptions: { queries: { retry: false } } });
  const { requests, observer } = watched(client);
  const stop = observer.subscribe(() => undefined);
  const invalidated = client.invalidateQueries({ queryKey: ['sessions'] });
  requests[0]!.reject(new Error('not found'));
  await invalidated;
  expect(requests).toHaveLength(1);
  stop();
});

test('refetches loaded data once', async () => {
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
