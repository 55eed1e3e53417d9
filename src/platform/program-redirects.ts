import { isLoopback } from './config-safety.ts';
import { StartError } from './start-error.ts';

/**
 * Parses PROGRAM_REDIRECTS, where programs may be returned to: https, or a scheme of the program's own, which has a dot
 * (RFC 8252, section 7.1). Only a demo (`loopback`) may use http, and only on this machine.
 */
export function programRedirectsOf(text: string | undefined, { loopback }: { loopback: boolean }): string[] {
  const redirects = (text ?? '')
    .split(',')
    .map((redirect) => redirect.trim())
    .filter(Boolean);
  for (const redirect of redirects)
    if (!isRedirect(URL.parse(redirect), loopback) || /[#\\\s]/.test(redirect))
      throw new StartError(
        `PROGRAM_REDIRECTS has "${redirect}". Set it to addresses such as https://app.example/signed-in or com.example.app://signed-in, separated by commas.`,
      );
  return redirects;
}

function isRedirect(url: URL | null, loopback: boolean): boolean {
  if (!url || url.username || url.password || url.searchParams.has('code')) return false;
  const { protocol, hostname } = url;
  if (protocol === 'http:') return loopback && isLoopback(hostname);
  return protocol === 'https:' || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol);
}
