import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useOwnZone } from '#/web/own-zone.tsx';
import { dateText, timeText } from '#/web/times.ts';
import type { SettingChange, SettingsEntry } from '../contract.ts';
import { settingName, valueText } from './settings-fields.ts';

/** Injected, because settings can't import the accounts feature. */
export type PersonName = (id: string) => ReactNode;

export function Entry({ entry, personName }: { entry: SettingsEntry; personName: PersonName }) {
  const { kind, at, changes } = entry;
  const zone = useOwnZone();
  return (
    <>
      <p className="font-semibold">
        {nameOf(entry, personName)}
        {' · '}
        {kind === 'reset' ? m.settings_entry_reset() : m.settings_entry_saved()}
      </p>
      <p className="text-sm text-quiet">
        <time dateTime={at}>
          {dateText(at, zone)}, {timeText(at, zone)}
        </time>
      </p>
      <Changes changes={changes} />
    </>
  );
}

export function Changes({ changes }: { changes: readonly SettingChange[] }) {
  return (
    <ul className="mt-1.5 grid gap-1 wrap-anywhere">
      {changes.map(({ setting, from, to }) => (
        <li key={setting}>
          {m.settings_change({
            name: settingName(setting),
            from: valueText(setting, from),
            to: valueText(setting, to),
          })}
        </li>
      ))}
    </ul>
  );
}

function nameOf({ byPerson, byId }: SettingsEntry, personName: PersonName): ReactNode {
  if (!byPerson) return m.settings_entry_program();
  return byId === null ? m.web_erased_account() : personName(byId);
}
