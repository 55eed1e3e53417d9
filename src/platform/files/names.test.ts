import { expect, test } from 'vitest';
import { nameWithExtension, hasExtensionOf } from './names.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test('adds an extension to a name that doesn’t match the file type', () => {
  expect(nameWithExtension('walk.JPG', 'image/jpeg')).toBe('walk.JPG');
  expect(nameWithExtension('walk.jpg', 'image/png')).toBe('walk.jpg.png');
  expect(nameWithExtension('invoice.exe', 'application/pdf')).toBe('invoice.exe.pdf');
  expect(nameWithExtension('voice', 'audio/mp4')).toBe('voice.m4a');
  expect(nameWithExtension('letter.docx', word)).toBe('letter.docx');
  const long = nameWithExtension('🕊'.repeat(200), 'image/png');
  expect([...long].length).toBe(200);
  expect(long.endsWith('🕊.png')).toBe(true);
});

test('accepts plain text only under a text extension', () => {
  for (const name of ['a.txt', 'A.MD', 'list.csv']) expect(hasExtensionOf(name, 'text/plain')).toBe(true);
  for (const name of ['a.js', 'a.html', 'a.jpg', 'txt', 'a.txt.sh', '.svg'])
    expect(hasExtensionOf(name, 'text/plain')).toBe(false);
});
