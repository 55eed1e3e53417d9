/** Its own module: each test file loads the set-up anew, and would get other lists than the set-up's. */
const noise: string[] = [];
let expected: RegExp[] = [];

/** Allows console errors a test causes on purpose. */
export function expectNoise(about: RegExp): void {
  expected.push(about);
}

/** Returns the unexpected console errors and policy violations since the last call. */
export function unexpectedNoise(): string[] {
  const unexpected = noise.splice(0).filter((text) => !expected.some((about) => about.test(text)));
  expected = [];
  return unexpected;
}

const realError = console.error.bind(console);
console.error = (...parts: unknown[]) => {
  noise.push(parts.map(String).join(' '));
  if (!expected.some((about) => about.test(noise.at(-1)!))) realError(...parts);
};
window.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  noise.push(`Refused by the policy: ${violatedDirective} ${blockedURI}`),
);
