import { Link } from 'react-router';
import { m } from '#/texts/messages.js';

export function WordsProtectionLink() {
  return (
    <Link
      to="/profile?tab=privacy#protection"
      className="inline-block text-primary underline hover:text-primary-strong"
    >
      {m.words_protection()}
    </Link>
  );
}
