import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters } from '@tanstack/react-query';

/** Repeats first loads too, which may be older. */
export class FreshQueryClient extends QueryClient {
  override async invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstLoads = this.getQueryCache()
      .findAll({ ...filters, type: 'active', fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    await super.invalidateQueries(filters, options);
    // One repetition serves every change before it.
    const once = { ...options, cancelRefetch: false };
    await Promise.all(
      firstLoads
        .filter(({ state }) => state.data !== undefined)
        .map(({ queryKey }) => super.invalidateQueries({ queryKey, exact: true }, once)),
    );
  }
}
