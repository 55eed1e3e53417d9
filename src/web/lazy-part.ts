// oxlint-disable-next-line no-restricted-imports -- here a part may be missing
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { insist } from './network.ts';

/**
 * A part of a page whose script is loaded when it's first drawn. While that can't be had, the page does without it and
 * tries again: for as long as there is no network, and a few times where there is one.
 */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({
    default: await (typeof window === 'undefined' ? load() : insist(load, { tries: 5 })),
  }));
}
