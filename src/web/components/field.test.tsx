import { useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { SelectField } from './field.tsx';

function Filter() {
  const [role, setRole] = useState('all');
  return (
    <>
      <SelectField label="Role" value={role} onChange={({ target }) => setRole(target.value)}>
        <option value="all">All roles</option>
        <option value="doctor">Doctor</option>
      </SelectField>
      <p>Shows {role}</p>
    </>
  );
}

test('keeps what was chosen before hydration', async () => {
  const container = document.createElement('div');
  document.body.append(container);
  onTestFinished(() => container.remove());
  container.innerHTML = renderToString(<Filter />);
  container.querySelector('select')!.value = 'doctor';
  const root = hydrateRoot(container, <Filter />);
  onTestFinished(() => root.unmount());
  await expect.element(page.getByText('Shows doctor')).toBeVisible();
  await expect.element(page.getByLabelText('Role')).toHaveValue('doctor');
});
