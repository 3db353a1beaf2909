import { useEffect, useState } from 'react';

const SETTLE_MS = 250;

/** A value that is typed, once it has not changed for a moment; the same object while it says the same. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
