// Times of day, in databases that return as many digits of a fraction as the column has.

/** Removes the zeros at the end of a time's fraction. */
export function trimTimeFraction(value: unknown): string {
  const text = String(value)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
