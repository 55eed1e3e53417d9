import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import type { SecretText } from './secret-field.tsx';

export function BackupCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <Notice tone="success" title={m.second_step_on()}>
        {m.second_step_codes_text()}
      </Notice>
      <ul
        aria-label={m.second_step_codes()}
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-card border border-line bg-sunken p-4 font-semibold tabular-nums"
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

export function backupCodesFile(codes: readonly string[]): SecretText {
  return { text: `${codes.join('\n')}\n`, file: 'italk-codes.txt', copied: m.second_step_codes_copied() };
}
