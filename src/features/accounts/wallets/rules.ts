/** Ethereum's main network (CAIP-2). */
export const walletIssuer = 'eip155:1';

/** Lifetime of a program's message in minutes. */
const messageMinutes = 10;
/** Seconds a program's clock may be ahead. */
const clockTolerance = 30;

const date = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`;
/** EIP-4361 for the main network. The published client leaves out the nonce unless it's given one. */
const format = new RegExp(
  [
    String.raw`^(?<domain>[^\s/]+) wants you to sign in with your Ethereum account:`,
    String.raw`(?<address>0x[\da-fA-F]{40})`,
    '',
    String.raw`(?:[^\n]+\n)?`,
    String.raw`URI: (?<origin>https?://\k<domain>)(?:[/?#]\S*)?`,
    'Version: 1',
    String.raw`Chain ID: 1(?:\nNonce: (?<nonce>[\da-zA-Z]{8,}))?`,
    String.raw`Issued At: (?<issuedAt>${date})(?:\nExpiration Time: (?<expiresAt>${date}))?(?:\nNot Before: (?<notBefore>${date}))?(?:\nRequest ID: [^\n]*)?(?:\nResources:(?:\n- \S+)*)?$`,
  ].join('\n'),
);

/**
 * Returns the address in a program's message, and the part that works only once. Returns null unless it's currently
 * valid for one of these origins.
 */
export function readMessage(
  message: string,
  { origins, now }: { origins: readonly string[]; now: Temporal.Instant },
): { address: string; once: string } | null {
  const fields = format.exec(message)?.groups;
  if (!fields) return null;
  const { origin = '', address = '', nonce = message, issuedAt, expiresAt, notBefore } = fields;
  const at = now.epochMilliseconds;
  const age = at - Date.parse(issuedAt ?? '');
  // Invalid dates compare as false.
  const works =
    origins.includes(origin) &&
    age >= -clockTolerance * 1_000 &&
    age < messageMinutes * 60_000 &&
    (expiresAt === undefined || Date.parse(expiresAt) > at) &&
    (notBefore === undefined || Date.parse(notBefore) <= at);
  return works ? { address, once: nonce } : null;
}

/** Half the order of secp256k1. */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Accepts only canonical signatures: 65 bytes, smaller `s` (EIP-2). */
export function isCanonical(signature: string): boolean {
  return /^0x[\da-f]{128}1[bc]$/i.test(signature) && BigInt(`0x${signature.slice(66, 130)}`) <= maxS;
}

export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
