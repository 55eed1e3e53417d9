import { Fragment } from 'react';

/** An email that breaks before its `@` and dots where it's too long for a line. */
export function EmailText({ email }: { email: string }) {
  return (
    <span className="wrap-anywhere">
      {email.split(/(?=[.@])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
