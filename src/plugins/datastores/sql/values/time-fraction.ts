// Times of day of a database that shows as many digits of a fraction as the column has.

/** The same time without zeros at the end of its fraction. */
export function trimTimeFraction(value: unknown): string {
  const text = String(value)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
