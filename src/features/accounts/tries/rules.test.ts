import { expect, test } from 'vitest';
import { rowsUnder } from '../../../../tests/support/documents.ts';
import { codeTries } from '../rules.ts';
import { allowances, type Allowance } from './rules.ts';

const spans: Readonly<Record<number, string>> = { 900: 'in 15 minutes', 86_400: 'a day' };
const said = ({ tries, seconds }: Allowance) => `${tries.toLocaleString('en-US')} ${spans[seconds]}`;

test('limits guesses as documented', () => {
  const { passwords, address, emailedCodes, mails, crowd, crowdDay } = allowances;
  expect(rowsUnder('docs/safeguards.md', 'Against guessing')).toEqual([
    ['password', said(passwords), said(address)],
    ['app or backup code', said(passwords), ''],
    ['emailed sign-in code', `${codeTries} for a code, ${said(emailedCodes)}`, said(address)],
    ['passkey', '', said(address)],
    ['token of an emailed link', '', said(address)],
    ['API token', '', said(address)],
    ['asking for an email', said(mails), `${said(crowd)}, ${said(crowdDay)}`],
  ]);
});
