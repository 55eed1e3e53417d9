import { m } from '#/texts/messages.js';
import type { Device } from '../contract.ts';

export function deviceText({ browser, system }: Pick<Device, 'browser' | 'system'>): string {
  if (browser && system) return m.accounts_device_on({ browser, system });
  return browser ?? system ?? m.accounts_device_unknown();
}
