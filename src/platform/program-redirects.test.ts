import { expect, test } from 'vitest';
import { programRedirectsOf } from './program-redirects.ts';

const read = (text: string | undefined, loopback = false) => programRedirectsOf(text, { loopback });

test('reads addresses as they are written, and none by default', () => {
  expect(read(undefined)).toEqual([]);
  expect(read(' , ')).toEqual([]);
  const redirects = [
    'https://app.example/signed-in?from=italk',
    'com.example.app://signed-in',
    'com.example.app:/x',
  ];
  expect(read(redirects.join(', '))).toEqual(redirects);
});

test.each([
  'http://app.example/',
  'http://127.0.0.1:4000/',
  'myapp://signed-in',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '//app.example',
  '/signed-in',
  'app.example',
  'https://',
  'https://someone@app.example/',
  'https://someone:secret@app.example/',
  'https://app.example/#signed-in',
  'https://app.example\\@evil.example/',
  'https://app.example/?code=1',
  'https://app.example/ x',
])('refuses %s', (redirect) => {
  expect(() => read(`https://app.example/,${redirect}`)).toThrow('PROGRAM_REDIRECTS has');
});

test('allows a demo’s program without TLS only on this machine', () => {
  expect(read('http://127.0.0.1:4000/signed-in', true)).toHaveLength(1);
  expect(() => read('http://app.example/', true)).toThrow('PROGRAM_REDIRECTS has');
});
