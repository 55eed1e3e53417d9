import { expect, test } from 'vitest';
import { honestName, isCalledLike } from './names.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test('adds an extension to a name that doesn’t match the file type', () => {
  expect(honestName('walk.JPG', 'image/jpeg')).toBe('walk.JPG');
  expect(honestName('walk.jpg', 'image/png')).toBe('walk.jpg.png');
  expect(honestName('invoice.exe', 'application/pdf')).toBe('invoice.exe.pdf');
  expect(honestName('voice', 'audio/mp4')).toBe('voice.m4a');
  expect(honestName('letter.docx', word)).toBe('letter.docx');
  const long = honestName('🕊'.repeat(200), 'image/png');
  expect([...long].length).toBe(200);
  expect(long.endsWith('🕊.png')).toBe(true);
});

test('accepts plain text only under a text extension', () => {
  for (const name of ['a.txt', 'A.MD', 'list.csv']) expect(isCalledLike(name, 'text/plain')).toBe(true);
  for (const name of ['a.js', 'a.html', 'a.jpg', 'txt', 'a.txt.sh', '.svg'])
    expect(isCalledLike(name, 'text/plain')).toBe(false);
});
